// bignum-add on tine's eager forks, with a grain chosen by hand.
#include "programs/bignum-add/add.hpp"

#include "harness/loops/divided.hpp"

namespace bench::bignum_add {

void tuned(problem& p) { add(p, divided_loops{4}); }

}  // namespace bench::bignum_add
