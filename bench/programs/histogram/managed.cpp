// The variant on tine, whose library has the algorithm.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <tine/algo/histogram.hpp>

namespace bench {

void managed(problem& p) { p.counts = tine::histogram(p.keys, p.bins); }

}  // namespace bench
