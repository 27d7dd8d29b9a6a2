// The comparison of a strand's clock with the processor time of its thread. It takes a system call of more than half a
// microsecond, so it is made seldom and takes half a per cent of the time.
#include "augment/timeline.hpp"

#include <tine/detail/augment/strand_clock.hpp>

#include <algorithm>
#include <ctime>

namespace tine::detail {
namespace {

base::ticks processor_time() noexcept {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return base::to_ticks(static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3);
}

}  // namespace

constinit thread_local strand_clock strand_clock::mine;

// Adds to `lost` the time since the last comparison in which the thread did not run, but at most the time since the
// last reading.
void strand_clock::compare_plainly(base::ticks now, bool counts) noexcept {
  const base::ticks own_now = processor_time();
  const base::ticks wall = now - compared, own = own_now - processor;
  if (counts && compared != 0 && wall > own) {
    const base::ticks loss = std::min(wall - own, now - last);
    lost += loss;
    timeline::note_loss(loss);
  }
  compared = now;
  processor = own_now;
}

TINE_NOINLINE base::ticks strand_now() noexcept { return strand_time(); }

TINE_NOINLINE base::ticks settled_strand_now() noexcept {
  base::settle();
  return strand_time();
}

TINE_NOINLINE base::ticks strand_now_after_rest() noexcept {
  strand_clock& c = strand_clock::mine;
  const base::ticks now = base::now();
  c.compare(now, false);
  c.last = now;
  return now - c.lost;
}

}  // namespace tine::detail
