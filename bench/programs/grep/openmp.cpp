// grep on OpenMP.
#include "programs/grep/search_pages.hpp"

#include "harness/algorithms/openmp.hpp"

namespace bench::grep {

void openmp(problem& p) { search_pages(p, openmp_algorithms{}); }

}  // namespace bench::grep
