// primes without forks: needs the memory of one segment only, and writes the primes without counting them before.
#include "programs/primes/problem.hpp"

namespace bench::primes {
namespace {

std::span<const prime> find_primes_in_order(workspace& w) {
  const std::vector<prime> base = base_primes(w.n, find_primes_in_order);
  prime* end = w.primes.data();
  for (std::int64_t s = 0; s < w.segments; ++s) {
    segment here = w.number(s);
    here.words = w.number(0).words.first(here.words.size());
    here.sieve(base);
    if (s == w.segments - 1) here.forget_above(w.n);
    end = here.write(end);
  }
  w.primes[0] = 2;  // `write` gives 1 for its bit
  return {w.primes.data(), end};
}

}  // namespace

void serial(problem& p) { p.answer = find_primes_in_order(p.space); }

}  // namespace bench::primes
