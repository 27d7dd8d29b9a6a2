// A program without tine that loads a library which forks.
#include <dlfcn.h>

#include <cstdio>
#include <thread>

int main(int count, char** words) {
  void* const library = count == 2 ? dlopen(words[1], RTLD_NOW) : nullptr;
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", count == 2 ? dlerror() : "give the library");
    return 2;
  }
  const auto fib = reinterpret_cast<long (*)(int)>(dlsym(library, "forked_fib"));
  long other = 0;
  std::thread thread{[&] { other = fib(22); }};
  const long here = fib(25);
  thread.join();
  std::printf("%ld and %ld\n", here, other);
  return here == 75025 && other == 17711 ? 0 : 1;
}
