// Prints how many races the detector finds in some pieces of code, in which it takes part in different ways: its
// functions stand in front of those of the C library and of the C++ library.
#include <tine/race/check_races.hpp>
#include <tine/tine.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

namespace {

bool is_right = true;
volatile std::size_t bytes = 64;  // g++ writes a constant number of bytes itself, without a report to the detector

template <class F>
void expect(const char* what, bool races, F f) {
  const tine::races_found found = tine::check_races(f);
  std::printf("%s: %zu races in %zu bytes\n", what, found.size(), found.addresses().size());
  is_right = is_right && (found.size() != 0) == races;
}

[[gnu::noinline]] void fill(char* block, int with) { std::memset(block, with, bytes); }

template <class F>
void both(F f) {
  tine::par([&] { f(0); }, [&] { f(1); });
}

}  // namespace

int main() {
  long total = 0;
  expect("a sum", true, [&] { both([&](int i) { total += i + 1; }); });
  expect("two sums", false, [&] {
    long sums[2] = {0, 0};
    both([&](int i) { sums[i] += i; });
    total = sums[0] + sums[1];
  });
  expect("a block of malloc", true, [&] {
    char* const block = static_cast<char*>(std::malloc(64));
    both([&](int i) { fill(block, i); });
    total += block[17];
    std::free(block);
  });
  expect("a block after another one", false, [&] {
    both([&](int i) {
      char* const block = static_cast<char*>(std::malloc(64));
      fill(block, i);
      const char last = block[63];
      std::free(block);
      return last;
    });
  });
  std::mutex lock;
  expect("a lock", false, [&] {
    both([&](int i) {
      const std::lock_guard guard{lock};
      total += i;
    });
  });
  expect("a static local", false, [&] {
    both([&](int) {
      static const std::vector<int> numbers(10, 1);
      return numbers[3];
    });
  });
  expect("a map", true, [&] {
    std::map<int, int> numbers;
    both([&](int i) { numbers[i] = i; });
  });
  return is_right ? 0 : 1;
}
