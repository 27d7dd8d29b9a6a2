// bignum-add without forks: the carry passes from limb to limb.
#include "programs/bignum-add/problem.hpp"

namespace bench::bignum_add {

void serial(problem& p) { p.carry = add_limbs(p.a.data(), p.b.data(), p.c.data(), p.n); }

}  // namespace bench::bignum_add
