// Algorithms on OpenMP's loops and tasks; see managed.hpp.
#pragma once

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/loops/openmp.hpp"

namespace bench {

using openmp_algorithms = algorithms_over<openmp_loops>;

}  // namespace bench
