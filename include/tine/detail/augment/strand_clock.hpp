// The clock of strands: it counts the ticks in which the strand's thread ran. Each thread has its own.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>

namespace tine::detail {

/// A thread's clock. If the last reading was a short time ago, the thread has not been preempted since.
struct strand_clock {
  base::ticks last = 0;      ///< the last reading, of the time-stamp counter
  base::ticks lost = 0;      ///< ticks in which the thread did not run, in total
  base::ticks compared = 0;  ///< the reading at the last comparison with the processor time, and that processor time
  base::ticks processor = 0;

  static constexpr base::ticks long_enough = 400000;  // 0.1 to 0.2 ms; scheduling slices are longer

  TINE_API static constinit thread_local strand_clock mine;

  /// Compares the clock with the thread's processor time, which tells how much of a longer interval the thread ran.
  /// Adds the rest to `lost` if `counts`.
  TINE_SLOW_PATH void compare(base::ticks now, bool counts) noexcept { compare_plainly(now, counts); }

 private:
  TINE_API TINE_COLD void compare_plainly(base::ticks now, bool counts) noexcept;
};

/// Returns the running thread's time. Only the difference of two readings on one thread means something. It leaves out
/// the time that the system gave to other threads, if there is enough of it to matter. Call `strand_time` once in a
/// function that is not inlined and doesn't run user code: the strand may be on another thread afterwards, but
/// compilers keep the address of the thread's clock.
TINE_ALWAYS_INLINE base::ticks strand_time() noexcept {
  strand_clock& c = strand_clock::mine;
  const base::ticks now = base::now();
  if (now - c.last > strand_clock::long_enough) [[unlikely]]
    c.compare(now, true);
  c.last = now;
  return now - c.lost;
}

/// Returns `strand_time()`. Any function may call it.
TINE_API base::ticks strand_now() noexcept;

/// Returns the strand's time after the processor has executed all earlier instructions. (It may read its clock while it
/// still waits for memory.)
TINE_API base::ticks settled_strand_now() noexcept;

/// Returns the strand's time on a thread that may have been idle since its last reading.
TINE_API base::ticks strand_now_after_rest() noexcept;

}  // namespace tine::detail
