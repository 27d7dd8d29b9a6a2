// The clock of strands: ticks in which the strand's thread ran.
#pragma once

#include <tine/base/clock.hpp>
#include <tine/base/config.hpp>

namespace tine::detail {

/// A thread's clock. A thread that has read it a short while ago has not been preempted in between.
struct strand_clock {
  base::ticks last = 0;      ///< the last reading, of the time-stamp counter
  base::ticks lost = 0;      ///< in all: what strands did not have
  base::ticks compared = 0;  ///< when the processor time was asked for, and what it was
  base::ticks processor = 0;

  static constexpr base::ticks long_enough = 400000;  // 0.1 to 0.2 ms; scheduling slices are longer

  static constinit thread_local strand_clock mine;

  /// After a longer while, the processor time tells how much of it was the thread's own.
  TINE_SLOW_PATH void compare(base::ticks now, bool counts) noexcept { compare_plainly(now, counts); }

 private:
  TINE_COLD void compare_plainly(base::ticks now, bool counts) noexcept;
};

/// Now, for the thread that runs. Differences mean something between two readings of one thread only; between them, time that
/// the system gave to other threads is left out if there is enough of it to matter. To be called once in a function that is
/// not inlined and not over user code: the thread may be another one afterwards, and compilers remember where its clock is.
TINE_ALWAYS_INLINE base::ticks strand_time() noexcept {
  strand_clock& c = strand_clock::mine;
  const base::ticks now = base::now();
  if (now - c.last > strand_clock::long_enough) [[unlikely]]
    c.compare(now, true);
  c.last = now;
  return now - c.lost;
}

/// The same, from anywhere.
base::ticks strand_now() noexcept;

/// Returns the time of the strand after the processor has executed all earlier instructions. (It may read its clock while it still
/// waits for memory.)
base::ticks settled_strand_now() noexcept;

/// The same where the thread may have been without work since its last reading.
base::ticks strand_now_after_rest() noexcept;

}  // namespace tine::detail
