// The irregular loops without forks.
#include "harness/loops/serial.hpp"

#include "programs/irregular/sum.hpp"

namespace bench::irregular {

void serial(problem& p) { p.answer = sum(p, serial_loops{}, serial_loops{}); }

}  // namespace bench::irregular
