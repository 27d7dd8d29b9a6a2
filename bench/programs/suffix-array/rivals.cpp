// suffix-array on oneTBB and OpenMP.
#include "problem.hpp"

#include "harness/loops/openmp_loops.hpp"
#include "harness/loops/program_of_loops.hpp"
#include "harness/loops/serial.hpp"

namespace bench {

using namespace suffix_array;

void tbb(problem& p) { sort_suffixes(p, tbb_loops{}, serial_loops{}); }
void openmp(problem& p) { sort_suffixes(p, openmp_loops{}, serial_loops{}); }

}  // namespace bench
