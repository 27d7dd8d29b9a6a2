// primes on tine's eager forks: a task for each segment.
#include "programs/primes/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::primes {

void tuned(problem& p) { p.answer = find_primes(divided_loops{single}, p.space); }

}  // namespace bench::primes
