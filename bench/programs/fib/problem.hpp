// Fibonacci numbers by the doubly recursive definition: the cost of a fork and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace bench {

struct problem {
  int n = 38;
  std::int64_t answer = 0;

  std::string mistake() const;
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

template <class Forks>
[[gnu::noinline]] std::int64_t fib(std::int64_t n) {
  if (n < 2) return n;
  return Forks{}.fork([n] { return fib<Forks>(n - 1); }, [n] { return fib<Forks>(n - 2); }, std::plus<>{});
}

template <class Forks>
void solve(problem& p, const Forks&) {
  p.answer = fib<Forks>(p.n);
}

}  // namespace bench
