// grep on tine's own algorithms.
#include "programs/grep/search_pages.hpp"

#include "harness/algorithms/managed.hpp"

namespace bench::grep {

void managed(problem& p) { search_pages(p, managed_algorithms{}); }

}  // namespace bench::grep
