// The irregular loops on oneTBB: the outer and the inner loops are oneTBB's.
#include "harness/loops/tbb.hpp"

#include "programs/irregular/sum.hpp"

namespace bench::irregular {

void tbb(problem& p) { p.answer = sum(p, tbb_loops{}, tbb_loops{}); }

}  // namespace bench::irregular
