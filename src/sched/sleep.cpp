// Going to sleep. The last thief awake on its node looks thoroughly before it sleeps: it rings every busy worker, makes
// the rings visible to all threads, and stays awake while a record is pending that no other worker would take. Thus a
// fork that comes later finds its doorbell rung, and wakes a thief.
#include "sched/pool_state.hpp"
#include "sched/thief.hpp"
#include "sched/visit.hpp"

namespace tine::sched {

void thief::sleep() noexcept {
  if (work_in_sight(true)) {  // a quick look first: the last look is expensive, because it interrupts every processor
    keep_looking();
    return;
  }
  base::atomic<int>& awake = pool_.awake[me_.where.node];
  me_.bed.announce();
  // pairs with the loads in arm_limit, leave_bell and wake_if_needed
  pool_.asleep.fetch_add(1, base::seq_cst);
  // pairs with itself and with thief::leave: exactly one of the thieves that sleep or leave is the last. It follows the
  // announcement, so that a last thief that leaves finds this one asleep
  const bool last = awake.fetch_sub(1, base::seq_cst) == 1;
  bool woken = false;
  bool cancelled = false;
  if (last_look(last)) {
    cancelled = me_.bed.cancel();
  } else {
    me_.counts_.parks.add();
    woken = me_.bed.park(nap_limit());
    cancelled = !woken;
  }
  if (cancelled) {
    pool_.asleep.fetch_sub(1, base::seq_cst);  // pairs with the loads in leave_bell and wake_if_needed
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

/// Returns true if there is a reason to stay awake. Work that it does not see now will wake this worker.
bool thief::last_look(bool thorough) noexcept {
  if (thorough && ring_everybody() && pool_.can_bar) {
    base::barrier_everywhere();
  } else {
    // pairs with the fences in worker::wake and wake_if_needed: either this thief sees what they publish, or they see
    // it asleep
    base::fence(base::seq_cst);
  }
  return me_.work_is_over() || me_.stands_aside() || work_in_sight(thorough);
}

/// Leaves every doorbell rung, so that the next fork of a busy worker takes its slow path and sees that this thief
/// sleeps. Returns true if a worker was busy.
bool thief::ring_everybody() noexcept {
  bool anybody = false;
  for (unsigned i = 0; i < pool_.members(); ++i) {
    worker& w = pool_.member(i);
    if (&w == &me_) continue;
    const visit looking{me_.visiting, w};
    if (!looking.allowed()) continue;
    anybody = true;
    hot_words& h = *w.words.load(base::relaxed);  // relaxed: published with busy
    // pairs with the exchange in answer, after which the owner looks for sleepers: a bell that still seems rung here is
    // answered later, by an owner that sees that this thief sleeps
    if (h.limit.load(base::seq_cst) != nullptr) ring(h);
  }
  return anybody;
}

bool thief::work_in_sight(bool thorough) noexcept {
  if (me_.box.has_named() || me_.box.has_open() || me_.box.has_kept()) return true;
  for (unsigned i = 0; i < pool_.members(); ++i) {
    worker& w = pool_.member(i);
    if (&w == &me_) continue;
    if (!w.tasks.seems_empty() || w.box.has_open() || w.box.has_kept()) return true;
    // without signals a pending record can only be promoted at its owner's next fork, which will wake this thief
    if (!thorough || !pool_.signals) continue;
    const visit looking{me_.visiting, w};
    if (looking.allowed() && has_pending(*w.words.load(base::relaxed))) return true;  // relaxed: published with busy
  }
  return false;
}

/// Returns the greatest number of microseconds to sleep; 0: until woken.
std::uint32_t thief::nap_limit() const noexcept {
  if (!pool_.can_bar) return 500;
  for (unsigned i = 0; i < pool_.members(); ++i) {
    const worker& w = pool_.member(i);
    // pairs with the store of owes in leave_bell
    if (w.busy.load(base::relaxed) && w.owes.load(base::seq_cst)) return 1000;
  }
  return 0;
}

void thief::start_over() noexcept {
  since_ = base::now();
  next_ring_ = 0;
  ring_gap_ = pool_.ring_gap;
  patience_ = pool_.patience;
  forget_rings();
}

}  // namespace tine::sched
