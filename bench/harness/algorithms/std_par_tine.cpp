// The variant on the standard library's algorithms, which run on tine. It is a file of its own, because <tine/pstl.hpp>
// must come first, and is not in the executable with rivals, where std_par_tbb defines the same templates of the
// standard library over another back end.
#include <tine/pstl.hpp>

#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/algorithms/std_par.hpp"

namespace bench {

void std_par_tine(problem& p) { solve(p, std_par_algorithms{}); }

}  // namespace bench
