// The rate of the clock for those who cannot wait for the exact one. Any thread may ask.
#pragma once

#include <tine/base/ticks.hpp>

namespace tine::base {

/// Returns `ticks_per_microsecond()` within a percent. Where we measure it, this takes 10 us the first time, and not a
/// millisecond: a program would pay that before its first fork.
double rough_rate() noexcept;

/// Returns the number of ticks in `microseconds`, within a percent.
inline ticks to_rough_ticks(double microseconds) noexcept { return static_cast<ticks>(microseconds * rough_rate()); }

}  // namespace tine::base
