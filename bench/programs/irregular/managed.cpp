// The irregular loops on tine's loops, both of them.
#include "harness/loops/managed.hpp"

#include "programs/irregular/nests.hpp"

namespace bench::irregular {

void managed(problem& p) { p.answer = sum(p, managed_loops{}, managed_loops{}); }

}  // namespace bench::irregular
