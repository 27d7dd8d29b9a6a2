// grep on oneTBB.
#include "programs/grep/search_pages.hpp"

#include "harness/algorithms/tbb.hpp"

namespace bench::grep {

void tbb(problem& p) { search_pages(p, tbb_algorithms{}); }

}  // namespace bench::grep
