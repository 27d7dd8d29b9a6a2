// The variant on tine.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/algorithms/managed.hpp"
#include "solve.hpp"  // the program's

namespace bench {

void managed(problem& p) { solve(p, managed_algorithms{}); }

}  // namespace bench
