// Going to sleep, on the thief's own thread. The last thief awake on its NUMA node makes a thorough pre-sleep check. It
// posts a work request to every busy worker, makes the requests visible to all threads, and stays awake while a record
// is pending that no other worker would take. So a later fork finds a request pending, and wakes a thief.
#include "sched/hazard.hpp"
#include "sched/pool_state.hpp"
#include "sched/thief.hpp"

#include <sched.h>

namespace tine::sched {

void thief::sleep() noexcept {
  if (me_.has_open_source()) {  // a process that waits for this processor may make its events
    keep_looking();
    sched_yield();
    return;
  }
  // look quickly first: the pre-sleep check is expensive, because it interrupts every processor
  if (work_in_sight(true)) {
    keep_looking();
    return;
  }
  me_.tell_of_end();
  base::atomic<int>& awake = pool_.awake[me_.where.numa_node];
  me_.idle_parker.announce();
  // pairs with the loads in set_limit_for_run, rearm_limit and wake_if_needed
  pool_.asleep.fetch_add(1, base::seq_cst);
  // pairs with itself and with thief::leave: exactly one of the thieves that sleep or leave is the last. It follows the
  // announcement, so a last thief that leaves finds this one asleep
  const bool last = awake.fetch_sub(1, base::seq_cst) == 1;
  bool woken = false;
  bool cancelled = false;
  if (pre_sleep_check(last)) {
    cancelled = me_.idle_parker.cancel();
  } else {
    me_.counts.parks.add();
    me_.note(event_kind::sleeps);
    woken = me_.idle_parker.park(park_timeout());
    me_.note(event_kind::wakes);
    sees_work_ = false;
    cancelled = !woken;
  }
  if (cancelled) {
    pool_.asleep.fetch_sub(1, base::seq_cst);  // pairs with the loads in rearm_limit and wake_if_needed
    awake.fetch_add(1, base::seq_cst);         // pairs with the decrements above and in leave
  }
  if (woken) {
    start_over();
  } else {
    keep_looking();
  }
}

/// Makes the thief try to sleep again after a tenth of the usual time.
void thief::keep_looking() noexcept { since_ = base::now() - pool_.spin + pool_.spin / 10; }

/// Returns true if there is a reason to stay awake. Work that the check doesn't see now will wake this worker.
bool thief::pre_sleep_check(bool thorough) noexcept {
  if (thorough && request_from_all() && pool_.can_bar) {
    base::barrier_everywhere();
  } else {
    // pairs with the fences in worker::wake and wake_if_needed: either we see what they publish, or they see us asleep
    base::fence(base::seq_cst);
  }
  return me_.work_is_over() || me_.stands_aside() || me_.has_open_source() || work_in_sight(thorough);
}

/// Leaves a work request pending at every busy worker. So the next fork of that worker takes its slow path, and sees
/// that this thief sleeps. Returns true if a worker was busy.
bool thief::request_from_all() noexcept {
  bool any_busy = false;
  for (unsigned i = 0; i < pool_.members(); ++i) {
    worker& w = pool_.member(i);
    if (&w == &me_) continue;
    const hazard held{me_.protected_worker, w};
    if (!held.allowed()) continue;
    any_busy = true;
    hot_words& h = *w.words.load(base::relaxed);  // relaxed: published with busy
    // pairs with the exchange in acknowledge, after which the owner looks for sleepers: a request that still seems
    // pending here is acknowledged later, by an owner that sees this thief asleep
    if (h.limit.load(base::seq_cst) != nullptr) post_request(h);
  }
  return any_busy;
}

bool thief::work_in_sight(bool thorough) noexcept {
  if (me_.box.has_pinned() || me_.box.has_shared() || me_.box.has_affine()) return true;
  // relaxed: see root_queue
  if (me_.takes_all() && pool_.roots.filled.load(base::relaxed)) return true;
  for (unsigned i = 0; i < pool_.members(); ++i) {
    worker& w = pool_.member(i);
    if (&w == &me_) continue;
    if (!w.tasks.seems_empty() || w.box.has_shared() || w.box.has_affine()) return true;
    // without signals a pending record can only be promoted at its owner's next fork, which will wake this thief
    if (!thorough || !pool_.signals) continue;
    const hazard held{me_.protected_worker, w};
    if (held.allowed() && has_pending(*w.words.load(base::relaxed))) return true;  // relaxed: published with busy
  }
  return false;
}

/// Returns the most microseconds to sleep; 0: until woken.
std::uint32_t thief::park_timeout() const noexcept {
  if (!pool_.can_bar) return 500;
  for (unsigned i = 0; i < pool_.members(); ++i) {
    const worker& w = pool_.member(i);
    // pairs with the store of unserved in rearm_limit
    if (w.busy.load(base::relaxed) && w.unserved.load(base::seq_cst)) return 1000;
  }
  return 0;
}

void thief::start_over() noexcept {
  since_ = base::now();
  next_request_ = 0;
  request_gap_ = pool_.request_gap;
  patience_ = pool_.patience;
  // forget work requests, but not signals: the last signal may still be pending
  for (victim_note& a : me_.hunt_.notes) a.requested_since = 0;
}

}  // namespace tine::sched
