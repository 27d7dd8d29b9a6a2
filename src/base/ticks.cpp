// The rate of the clock: measured once, by whichever thread asks first.
#include <tine/base/ticks.hpp>

#include "base/rough_rate.hpp"

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
/// are far apart and the pair is inexact. So we take the closest of 16 pairs, which are some 30 ns apart.
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

// Both readings are exact to some 30 ns, whatever happens between them.
double measured_over(double us) noexcept {
  const reading from = read_both();
  while (microseconds() - from.us < us) {
  }
  const reading to = read_both();
  return static_cast<double>(to.at - from.at) / (to.us - from.us);
}

double rate(double us) noexcept { return arch::counter_rate() != 0 ? arch::counter_rate() : measured_over(us); }

}  // namespace

// The error is below one part in ten thousand.
double ticks_per_microsecond() noexcept {
  static const double exact = rate(1e3);
  return exact;
}

double rough_rate() noexcept {
  static const double rough = rate(10);
  return rough;
}

}  // namespace tine::base
