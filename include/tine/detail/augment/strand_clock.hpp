// The clock of strands: it counts the ticks in which the strand's thread ran.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>

namespace tine::detail {

/// A thread's clock. A thread that has read its clock a short time ago has not been preempted since.
struct strand_clock {
  base::ticks last = 0;      ///< the last reading, of the time-stamp counter
  base::ticks lost = 0;      ///< ticks in which the thread did not run, in total
  base::ticks compared = 0;  ///< the reading at the last comparison with the processor time, and that processor time
  base::ticks processor = 0;

  static constexpr base::ticks long_enough = 400000;  // 0.1 to 0.2 ms; scheduling slices are longer

  TINE_API static constinit thread_local strand_clock mine;

  /// Compares the clock with the processor time of the thread, which tells how much of a longer interval the thread
  /// ran. Adds the rest of the interval to `lost` if `counts`.
  TINE_SLOW_PATH void compare(base::ticks now, bool counts) noexcept { compare_plainly(now, counts); }

 private:
  TINE_API TINE_COLD void compare_plainly(base::ticks now, bool counts) noexcept;
};

/// Returns the current time of the running thread. Only the difference of two readings on one thread has a meaning. It
/// leaves out the time that the system gave to other threads, if there is enough of it to matter. Call `strand_time`
/// once in a function that is not inlined and runs no user code: the strand may be on another thread afterwards, and
/// compilers keep the address of the thread's clock.
TINE_ALWAYS_INLINE base::ticks strand_time() noexcept {
  strand_clock& c = strand_clock::mine;
  const base::ticks now = base::now();
  if (now - c.last > strand_clock::long_enough) [[unlikely]]
    c.compare(now, true);
  c.last = now;
  return now - c.lost;
}

/// Returns `strand_time()`. It may be called from any function.
TINE_API base::ticks strand_now() noexcept;

/// Returns the time of the strand after the processor has executed all earlier instructions. (It may read its clock
/// while it still waits for memory.)
TINE_API base::ticks settled_strand_now() noexcept;

/// Returns the time of the strand on a thread that may have had no work since its last reading.
TINE_API base::ticks strand_now_after_rest() noexcept;

}  // namespace tine::detail
