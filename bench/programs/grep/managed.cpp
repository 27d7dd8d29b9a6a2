// grep on tine's own loops.
#include "programs/grep/search_pages.hpp"

#include "harness/loops/managed.hpp"

namespace bench::grep {

void managed(problem& p) { search_pages(p, managed_loops{}); }

}  // namespace bench::grep
