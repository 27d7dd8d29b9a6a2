// grep on tine: divide and conquer down to single iterations.
#include "programs/grep/search_pages.hpp"

#include "harness/algorithms/algorithms_over.hpp"
#include "harness/loops/divided.hpp"

namespace bench::grep {

void dac(problem& p) { search_pages(p, algorithms_over{divided_loops{single}}); }

}  // namespace bench::grep
