// The irregular loops by divide and conquer: the outer and the inner loops down to single iterations.
#include "harness/loops/divided.hpp"

#include "programs/irregular/sum.hpp"

namespace bench::irregular {

void dac(problem& p) {
  const divided_loops loops{single};
  p.answer = sum(p, loops, loops);
}

}  // namespace bench::irregular
