// longest-repeated-substring on oneTBB, OpenMP and the standard library's algorithms, which run on oneTBB.
#include "problem.hpp"

#include "harness/algorithms/openmp_algorithms.hpp"
#include "harness/algorithms/program_of_algorithms.hpp"
#include "harness/algorithms/std_par.hpp"
#include "harness/loops/serial.hpp"

namespace bench {

/// On oneTBB, without forks in the short loops over the suffixes of a group.
void tbb(problem& p) { solve(p, tbb_algorithms{}, serial_loops{}); }

/// On OpenMP, without forks in the short loops over the suffixes of a group.
void openmp(problem& p) { solve(p, openmp_algorithms{}, serial_loops{}); }

/// On the standard library's algorithms, which run on oneTBB, without forks in the short loops over the suffixes of a
/// group.
void std_par_tbb(problem& p) { solve(p, std_par_algorithms{}, serial_loops{}); }

}  // namespace bench
