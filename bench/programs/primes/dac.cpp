// primes on tine as divide and conquer down to single segments.
#include "programs/primes/problem.hpp"

#include "harness/loops/divided.hpp"

namespace bench::primes {

void dac(problem& p) { p.answer = find_primes(divided_loops{single}, p.space); }

}  // namespace bench::primes
