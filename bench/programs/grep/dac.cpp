// grep on tine: divide and conquer down to single iterations.
#include "programs/grep/search_pages.hpp"

#include "harness/loops/divided.hpp"

namespace bench::grep {

void dac(problem& p) { search_pages(p, divided_loops{single}); }

}  // namespace bench::grep
