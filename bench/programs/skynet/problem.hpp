// The problem skynet: add up the leaves of a tree in which every node has ten children and each leaf holds its own
// number.
#pragma once

#include <cstdint>
#include <string>

namespace bench {

struct problem {
  std::int64_t leaves = 100'000'000;
  std::int64_t answer = 0;

  std::string mistake() const;
};

constexpr int fan_out = 10;
constexpr std::int64_t most_leaves = 1'000'000'000;

constexpr bool is_power_of_ten(std::int64_t n) {
  while (n > 1 && n % fan_out == 0) n /= fan_out;
  return n == 1;
}

/// Returns the sum of the numbers from 0 to n - 1.
constexpr std::int64_t expected(std::int64_t n) { return n * (n - 1) / 2; }
static_assert(expected(100'000'000) == 4'999'999'950'000'000);

// The rivals, which are null in the executable without them.
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench
