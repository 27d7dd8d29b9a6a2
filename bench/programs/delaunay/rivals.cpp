// delaunay on oneTBB and OpenMP.
#include "problem.hpp"

#include "harness/algorithms/openmp_algorithms.hpp"
#include "harness/loops/program_of_loops.hpp"

namespace bench {

using namespace delaunay;

/// On oneTBB, with the grain of tuned.
void tbb(problem& p) { triangulate(p, tbb_algorithms{}, tuned_grain); }

/// On OpenMP, with the grain of tuned.
void openmp(problem& p) { triangulate(p, openmp_algorithms{}, tuned_grain); }

}  // namespace bench
