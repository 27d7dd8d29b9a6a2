// The irregular loops on tine: the outer and the inner loops are tine's.
#include "harness/loops/managed.hpp"

#include "programs/irregular/sum.hpp"

namespace bench::irregular {

void managed(problem& p) { p.answer = sum(p, managed_loops{}, managed_loops{}); }

}  // namespace bench::irregular
