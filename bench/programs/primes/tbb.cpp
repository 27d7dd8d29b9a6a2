// primes on oneTBB.
#include "programs/primes/problem.hpp"

#include "harness/loops/tbb.hpp"

namespace bench::primes {

void tbb(problem& p) { p.answer = find_primes(tbb_loops{}, p.space); }

}  // namespace bench::primes
