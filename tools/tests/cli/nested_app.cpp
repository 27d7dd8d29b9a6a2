// Forks in functions whose names are longer than a line of the report and differ all over, for wrappers_test.py.
#include <tine/tine.hpp>

#include <array>
#include <cstdio>
#include <tuple>

namespace {

template <class... Arguments>
[[gnu::noinline]] void fork(long& sum) {
  long left = 0;
  tine::par([&left] { left = sizeof...(Arguments); }, [] {});
  sum += left;
}

using first = std::tuple<std::array<char, 11>, std::array<long, 12>, std::array<short, 13>, std::array<unsigned, 14>>;
using second = std::tuple<std::array<unsigned, 21>, std::array<short, 22>, std::array<long, 23>, std::array<char, 24>>;

}  // namespace

int main() {
  long sum = 0;
  tine::run([&sum] {
    for (int i = 0; i < 4; ++i) fork<first, second, first>(sum);
    fork<second, first, first, second>(sum);
  });
  std::printf("%ld\n", sum - 9);
}
