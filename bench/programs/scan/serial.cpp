// scan without forks: one pass is enough.
#include "programs/scan/kernel.hpp"

#include "harness/blocks/serial.hpp"

namespace bench::scan {

void serial(problem& p, stage s) {
  if (s == stage::place) return perform(p, s, serial_blocks{});
  sum_up(p.input.data(), p.input.data() + p.n, 0, p.sums.data());
}

}  // namespace bench::scan
