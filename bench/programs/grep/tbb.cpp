// grep on oneTBB.
#include "programs/grep/search_pages.hpp"

#include "harness/loops/tbb.hpp"

namespace bench::grep {

void tbb(problem& p) { search_pages(p, tbb_loops{}); }

}  // namespace bench::grep
