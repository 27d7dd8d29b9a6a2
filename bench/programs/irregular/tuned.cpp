// The irregular loops with a grain for each shape, found by trial, and inner loops without forks.
#include "harness/loops/divided.hpp"
#include "harness/loops/serial.hpp"

#include "programs/irregular/sum.hpp"

namespace bench::irregular {
namespace {

std::int64_t grain_of(shape kind) {
  switch (kind) {
    case shape::triangle_up:
    case shape::triangle_down:
      return 8;
    case shape::heavy_first:
    case shape::heavy_last:
      return 512;
    case shape::forks:
      return 16;
    case shape::tiny:
      return 8192;
    case shape::jump_up:
    case shape::jump_down:
      break;
  }
  return 4;
}

}  // namespace

void tuned(problem& p) { p.answer = sum(p, divided_loops{grain_of(p.kind)}, serial_loops{}); }

}  // namespace bench::irregular
