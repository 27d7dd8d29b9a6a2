// comparison-sort without forks.
#include "harness/algorithms/variants/program_of_algorithms.hpp"

#include <algorithm>

namespace bench {

void serial(problem& p) { std::sort(p.keys.begin(), p.keys.end()); }

}  // namespace bench
