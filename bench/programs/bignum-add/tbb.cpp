// bignum-add on oneTBB.
#include "programs/bignum-add/add.hpp"

#include "harness/loops/tbb.hpp"

namespace bench::bignum_add {

void tbb(problem& p) { add(p, tbb_loops{}); }

}  // namespace bench::bignum_add
