// primes on OpenMP.
#include "programs/primes/problem.hpp"

#include "harness/loops/openmp.hpp"

namespace bench::primes {

void openmp(problem& p) { p.answer = find_primes(openmp_loops{}, p.space); }

}  // namespace bench::primes
