// Submitting external work to a worker's inbox.
#include "sched/pool_state.hpp"

namespace tine::sched {

void submit(submission& s, worker* to, worker& near) noexcept {
  worker& keeper = to != nullptr ? *to : near;
  keeper.box.put(s, to != nullptr ? inbox::claim::named : inbox::claim::open,
                 [&keeper](inbox::claim as) { keeper.tell_of(as); });
}

void submit_kept(submission& s, worker& to) noexcept {
  to.box.put(s, inbox::claim::kept, [&to](inbox::claim as) { to.tell_of(as); });
}

/// An entry of this kind has come into the inbox of this worker: wakes the workers that it is for.
void worker::tell_of(inbox::claim as) noexcept {
  if (as == inbox::claim::open) {
    pool.wanted.force();
    pool.wake_if_needed(*this);
    // relaxed: a caller that comes later finds the entry itself. A caller that stands aside is not among the workers
    // that wake_if_needed wakes
    if (takes_only.load(base::relaxed) != 0) wake();
  } else if (!wake() && as == inbox::claim::kept) {
    pool.wake_if_deserted(*this);  // a worker that is idle for long may take it
  }
}

void worker::arrive() noexcept { box.open(); }

/// From now on any worker may take the entries that waited for this worker.
void worker::depart() noexcept {
  for (int left = box.close(); left > 0; --left) {
    pool.wanted.force();
    pool.wake_if_needed(*this);
  }
}

}  // namespace tine::sched
