// The scheduler's clock: the processor's counter, which runs at a constant rate. A reading takes some nanoseconds and
// no call, which is why the scheduler counts in ticks.
#pragma once

#include <tine/detail/base/arch.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::base {

/// A point in time or a length of time, in ticks: of the time-stamp counter on x86-64, of the generic timer,
/// multiplied, on aarch64, and nanoseconds elsewhere. A tick takes 0.2 to 1 ns.
using ticks = std::uint64_t;

/// Returns the current time. Not a serialising read: neighbouring instructions may drift past it by a few nanoseconds.
inline ticks now() noexcept { return arch::counter(); }

/// Waits until all earlier instructions have been executed, loads with their values.
inline void settle() noexcept { arch::settle(); }

/// Returns the number of ticks per microsecond. On x86-64 it is measured once per process against CLOCK_MONOTONIC
/// (takes 1 ms the first time). Thread-safe.
TINE_API double ticks_per_microsecond() noexcept;

/// Returns the number of ticks in `microseconds`. Thread-safe.
inline ticks to_ticks(double microseconds) noexcept {
  return static_cast<ticks>(microseconds * ticks_per_microsecond());
}

/// Returns the number of nanoseconds in `span` ticks. Thread-safe.
inline std::uint64_t to_nanoseconds(ticks span) noexcept {
  return static_cast<std::uint64_t>(static_cast<double>(span) * 1e3 / ticks_per_microsecond());
}

}  // namespace tine::base
