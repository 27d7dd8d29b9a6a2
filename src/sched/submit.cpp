// The way in for external work.
#include "sched/pool_state.hpp"

namespace tine::sched {

void submit(submission& s, worker* to, worker& near) noexcept {
  worker& keeper = to != nullptr ? *to : near;
  keeper.box.put(s, to != nullptr, [&keeper](bool named) {
    if (named) {
      keeper.wake();
    } else {
      keeper.pool.wanted.force();
      keeper.pool.wake_if_needed(keeper);
    }
  });
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
