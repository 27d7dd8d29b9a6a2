// A thread that has read the clock a short while ago has not been preempted in between. After a longer while, its processor
// time tells how much of it was its own: that costs a system call of more than half a microsecond, so it is not asked often.
#include "augment/clock.hpp"

#include <tine/base/config.hpp>

#include <algorithm>
#include <ctime>

namespace tine::detail {
namespace {

constexpr base::ticks long_enough = 400000;  // 0.1 to 0.2 ms: scheduling slices are longer, and the call is 0.5 % of it

struct thread_clock {
  base::ticks last = 0;      ///< the last reading, of the time-stamp counter
  base::ticks lost = 0;      ///< in all: what strands did not have
  base::ticks compared = 0;  ///< when the processor time was asked for, and what it was
  base::ticks processor = 0;
};

constinit thread_local thread_clock mine;

base::ticks processor_time() noexcept {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return base::to_ticks(static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3);
}

/// What went by since the last comparison without the thread's having run; at most what went by since the last reading.
TINE_COLD void compare(thread_clock& c, base::ticks now, bool counts) noexcept {
  const base::ticks processor = processor_time();
  const base::ticks wall = now - c.compared, own = processor - c.processor;
  if (counts && c.compared != 0 && wall > own) c.lost += std::min(wall - own, now - c.last);
  c.compared = now;
  c.processor = processor;
}

}  // namespace

// Not inlined anywhere: the thread may be another one at the next call, so nobody may keep the address of its clock.
TINE_NOINLINE base::ticks strand_now() noexcept {
  thread_clock& c = mine;
  const base::ticks now = base::now();
  if (now - c.last > long_enough) [[unlikely]]
    compare(c, now, true);
  c.last = now;
  return now - c.lost;
}

TINE_NOINLINE base::ticks strand_now_after_rest() noexcept {
  thread_clock& c = mine;
  const base::ticks now = base::now();
  compare(c, now, false);
  c.last = now;
  return now - c.lost;
}

}  // namespace tine::detail
