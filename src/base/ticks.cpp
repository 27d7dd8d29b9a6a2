// The rate of the clock.
#include <tine/base/ticks.hpp>

#include <ctime>

namespace tine::base {
namespace {

double microseconds() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}

/// A reading of both clocks at the same time.
struct reading {
  ticks at;
  double us;
};

/// Reads the clock between two readings of the counter. If the kernel runs another thread in between, the two readings
/// are far apart and the pair is inexact. Therefore the function takes the closest of 16 pairs, which are some 30 ns
/// apart.
reading read_both() noexcept {
  reading closest{};
  ticks least = ~ticks{0};
  for (int k = 0; k < 16; ++k) {
    const ticks before = now();
    const double us = microseconds();
    const ticks took = now() - before;
    if (took >= least) continue;
    least = took;
    closest = {before + took / 2, us};
  }
  return closest;
}

// Measures over a millisecond between two readings that are exact to some 30 ns, so the error is below one part in ten
// thousand.
double measure() noexcept {
  const reading from = read_both();
  while (microseconds() - from.us < 1e3) {
  }
  const reading to = read_both();
  return static_cast<double>(to.at - from.at) / (to.us - from.us);
}

}  // namespace

double ticks_per_microsecond() noexcept {
  static const double rate = arch::counter_rate() != 0 ? arch::counter_rate() : measure();
  return rate;
}

}  // namespace tine::base
