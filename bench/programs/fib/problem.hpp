// Fibonacci numbers by the doubly recursive definition: the cost of a fork and nothing else.
#pragma once

#include <cstdint>

namespace bench {

struct problem {
  int n = 38;
};

constexpr int largest_n = 60;

/// Returns the answer by iteration, with which the others are compared.
constexpr std::int64_t expected(int n) {
  std::int64_t a = 0;
  std::int64_t b = 1;
  for (int i = 0; i < n; ++i) {
    const std::int64_t next = a + b;
    a = b;
    b = next;
  }
  return a;
}
static_assert(expected(38) == 39'088'169);

// The rivals, which are null in the executable without them.
[[gnu::weak]] std::int64_t tbb(const problem& p);
[[gnu::weak]] std::int64_t openmp(const problem& p);

}  // namespace bench
