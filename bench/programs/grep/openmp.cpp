// grep on OpenMP.
#include "programs/grep/parallel.hpp"

#include "harness/loops/openmp.hpp"

namespace bench::grep {

void openmp(problem& p) { search_pages(p, openmp_loops{}); }

}  // namespace bench::grep
