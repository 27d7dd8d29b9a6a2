// grep on tine's eager forks, with a grain chosen by hand.
#include "programs/grep/search_pages.hpp"

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/loops/divided.hpp"

namespace bench::grep {

void tuned(problem& p) { search_pages(p, algorithms_over{divided_loops{4}}); }

}  // namespace bench::grep
