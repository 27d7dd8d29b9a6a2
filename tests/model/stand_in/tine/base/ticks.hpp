// The clock of the models, in place of the product's: its time passes at random, but in the same way each time a
// schedule is repeated.
#pragma once

#include <cstdint>

namespace tine::base {

using ticks = std::uint64_t;

ticks now() noexcept;
inline double ticks_per_microsecond() noexcept { return 1; }
inline ticks to_ticks(double microseconds) noexcept { return static_cast<ticks>(microseconds); }
inline std::uint64_t to_nanoseconds(ticks span) noexcept { return span * 1000; }

}  // namespace tine::base
