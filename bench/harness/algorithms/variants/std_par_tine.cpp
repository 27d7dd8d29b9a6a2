// The variant on the standard library's algorithms, which run on tine. It must not be in one executable with std_par_tbb.cpp, because both
// define the standard library's templates, each over a back end of its own.
#include <tine/pstl.hpp>

#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include "harness/algorithms/std_par.hpp"
#include "solve.hpp"  // the program's

namespace bench {

void std_par_tine(problem& p) { solve(p, std_par_algorithms{}); }

}  // namespace bench
