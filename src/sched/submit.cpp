// The way in for external work.
#include "sched/pool_state.hpp"

namespace tine::sched {

void submit(submission& s, worker* to, worker& near) noexcept {
  worker& keeper = to != nullptr ? *to : near;
  pool_state& pool = keeper.pool;
  // the entry may be taken and gone as soon as it is put; the worker and the pool are not: the root it belongs to is
  // still running, or it would not be submitted
  if (keeper.box.put(s, to != nullptr)) {
    keeper.wake();
  } else {
    pool.wanted.force();
    pool.wake_if_needed(keeper);
  }
}

void worker::arrive() noexcept { box.open(); }

/// What waited for this worker is anybody's from now on.
void worker::depart() noexcept {
  for (int left = box.close(); left > 0; --left) {
    pool.wanted.force();
    pool.wake_if_needed(*this);
  }
}

}  // namespace tine::sched
