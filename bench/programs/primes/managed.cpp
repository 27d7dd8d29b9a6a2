// primes on tine.
#include "programs/primes/problem.hpp"

#include "harness/loops/managed.hpp"

namespace bench::primes {

void managed(problem& p) { p.answer = find_primes(managed_loops{}, p.space); }

}  // namespace bench::primes
