// Submitting external work to a worker's inbox.
#include "sched/pool_state.hpp"

namespace tine::sched {

void submit(submission& s, worker* to, worker& near) noexcept {
  if (s.in != nullptr) near.parked.leave(s);
  worker& keeper = to != nullptr ? *to : near;
  keeper.box.put(s, to != nullptr ? inbox::claim::pinned : inbox::claim::shared,
                 [&keeper](inbox::claim as) { keeper.notify_of(as); });
}

void submit_affine(submission& s, worker& to) noexcept {
  to.box.put(s, inbox::claim::affine, [&to](inbox::claim as) { to.notify_of(as); });
}

/// A submission of this kind has come into the inbox of this worker: wakes the workers that it is for.
void worker::notify_of(inbox::claim as) noexcept {
  if (as == inbox::claim::shared) {
    pool.wanted.force();
    pool.wake_if_needed(*this);
    // relaxed: a caller that comes later finds the submission itself. A caller that stands aside is not among the
    // workers that wake_if_needed wakes
    if (takes_only.load(base::relaxed) != 0) wake();
  } else if (!wake() && as == inbox::claim::affine) {
    pool.wake_if_deserted(*this);  // a worker that is idle for long may take it
  }
}

void worker::arrive() noexcept {
  note(event_kind::arrives);
  box.open();
}

/// From now on any worker may take the submissions that waited for this worker.
void worker::depart() noexcept {
  note(event_kind::leaves);
  for (int left = box.close(); left > 0; --left) {
    pool.wanted.force();
    pool.wake_if_needed(*this);
  }
}

}  // namespace tine::sched
