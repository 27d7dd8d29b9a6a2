// bignum-add on tine's own loops.
#include "programs/bignum-add/add.hpp"

#include "harness/loops/managed.hpp"

namespace bench::bignum_add {

void managed(problem& p) { add(p, managed_loops{}); }

}  // namespace bench::bignum_add
