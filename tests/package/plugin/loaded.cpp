// A program without tine that loads a library which forks, and unloads it, many times.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

namespace {

/// Returns the number of lines of /proc/self/maps.
long mappings() {
  std::ifstream maps{"/proc/self/maps"};
  return std::count(std::istreambuf_iterator<char>{maps}, {}, '\n');
}

}  // namespace

int main(int count, char** words) {
  long before = 0;
  for (int i = 0; i < 1000; ++i) {
    void* const library = count == 2 ? dlopen(words[1], RTLD_NOW) : nullptr;
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", count == 2 ? dlerror() : "give the library");
      return 2;
    }
    const auto fib = reinterpret_cast<long (*)(int)>(dlsym(library, "forked_fib"));
    const int n = i == 0 ? 25 : 12;
    long other = 0;
    std::thread thread{[&] { other = fib(n - 3); }};
    const long here = fib(n);
    thread.join();
    if (here != (i == 0 ? 75025 : 144) || other != (i == 0 ? 17711 : 34)) {
      std::printf("load %d: %ld and %ld\n", i, here, other);
      return 1;
    }
    dlclose(library);
    if (i == 100) before = mappings();
  }
  const long more = mappings() - before;
  std::printf("%ld mappings more after 900 loads\n", more);
  return more < 100 ? 0 : 1;
}
