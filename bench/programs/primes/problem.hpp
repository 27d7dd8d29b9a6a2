// The problem primes: find the prime numbers up to n.
#pragma once

#include "programs/primes/find_primes.hpp"

#include <string>

namespace bench::primes {

constexpr std::size_t usual_n = 500'000'000;
constexpr std::size_t large_n = 4'000'000'000;

/// The number of primes up to some number, and their sum modulo 2^64.
struct totals {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
};

/// The memory of a sieve, and its answer.
class problem {
 public:
  /// Makes room for the primes up to n if `n` has changed since the last call, and forgets the answer.
  void reset();
  /// Returns a description of the mistake in the answer; empty if it is right.
  std::string mistake() const;

  std::size_t n = usual_n;
  workspace space{2};
  std::span<const prime> answer;

 private:
  totals expected_;
};

void serial(problem& p);
void managed(problem& p);
void tuned(problem& p);
void dac(problem& p);
[[gnu::weak]] void tbb(problem& p);
[[gnu::weak]] void openmp(problem& p);

}  // namespace bench::primes
