// bignum-add on OpenMP.
#include "programs/bignum-add/add.hpp"

#include "harness/loops/openmp.hpp"

namespace bench::bignum_add {

void openmp(problem& p) { add(p, openmp_loops{}); }

}  // namespace bench::bignum_add
