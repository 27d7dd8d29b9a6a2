// bignum-add on tine: divide and conquer down to single iterations.
#include "programs/bignum-add/add.hpp"

#include "harness/loops/divided.hpp"

namespace bench::bignum_add {

void dac(problem& p) { add(p, divided_loops{single}); }

}  // namespace bench::bignum_add
