// scan without forks: one pass is enough.
#include "harness/blocks/variants/program_of_phases.hpp"

#include "harness/blocks/serial.hpp"
#include "initialise.hpp"

namespace bench {

void serial(problem& p, stage s) {
  if (s == stage::place) return perform(p, s, serial_blocks{});
  scan::sum_up(p.input.data(), p.input.data() + p.n, 0, p.sums.data());
}

}  // namespace bench
