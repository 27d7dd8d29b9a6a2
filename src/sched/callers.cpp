// Callers of run: the start and the end of a call, and what a caller does while its root waits or runs on another
// worker. The functions of `thief` and most of `worker` run on the caller's own thread.
//
// A caller takes work of its own root only, so that no long piece of another root delays its return. While its root is
// the only root in the pool, this makes no difference, and the caller is a thief like all others. While there are
// several roots, each has brought a thread of its own, and a caller without work *stands aside*. We don't count it as
// idle or awake, because an owner that relies on these counts could rely on a caller that refuses the work. It sleeps
// until its root ends or a pinned submission comes. Every 0.5 to 4 ms (aside_park_timeout) it checks for work of its
// root that no other worker takes.
#include "sched/hazard.hpp"
#include "sched/pool_state.hpp"
#include "sched/thief.hpp"

#include <sched.h>
#include <algorithm>

namespace tine::sched {

void worker::begin_call(const root_call& call) noexcept {
  call_ = call;
  if (call.root == nullptr || call.how == caller_policy::any_root || pool.is_without_threads()) return;
  // relaxed, here and below: other workers only estimate by it; before they take a task they compare the number in the
  // task
  takes_only_.store(own_number(), base::relaxed);
  pool.add_rival(this);
}

/// From now on the pool has work that its callers refuse.
void pool_state::add_rival(const worker* newcomer) noexcept {
  // A caller that this loop misses stands aside as soon as it is woken for work that it refuses, and then wakes another
  // (thief::leave). relaxed, here and below: see begin_call
  if (callers.fetch_add(1, base::relaxed) != 1) return;
  for (unsigned i = 0; i < members(); ++i) {
    worker& w = member(i);
    if (&w != newcomer && !w.takes_all()) w.wake();
  }
}

void worker::end_call() noexcept {
  if (takes_all()) return;
  needs_root_task_.store(false, base::relaxed);  // relaxed: see begin_call
  take_all();
}

/// Any thread: this caller takes work of all roots, and needs no rival to take what it refuses.
void worker::take_all() noexcept {
  // relaxed, both: see begin_call
  if (takes_only_.exchange(0, base::relaxed) != 0) pool.callers.fetch_sub(1, base::relaxed);
}

/// While the caller of a root works for another pool, other callers take tasks of that root: a pool without threads of
/// its own has no other worker for them.
bool worker::accepts(root_number root) const noexcept {
  const root_number only = takes_only_.load(base::relaxed);  // relaxed, here and below: own word, or an estimate
  return only == 0 || root == 0 || root == only ||
         (root != submitted_roots && pool.member(root - 1U).is_away_.load(base::relaxed));
}

/// Returns the caller of the root that this worker works for, if that caller stands aside and could take a record of
/// the root; otherwise null.
worker* worker::caller_short_of_work() const noexcept {
  const root_number root = serves.load(base::relaxed);  // relaxed: own word
  if (root == 0 || root == submitted_roots) return nullptr;
  worker& caller = pool.member(root - 1U);
  // relaxed: the exchange of the limit, which acknowledged the caller's request, makes the store before that request
  // visible
  return caller.needs_root_task_.load(base::relaxed) ? &caller : nullptr;
}

bool worker::waits_or_has_rivals() const noexcept {
  // relaxed: a caller that sees another caller late still refuses work that is not its own. A caller in another slot
  // than the first refuses the tasks of groups that belong to the first one (group_state::root_).
  return call_.how == caller_policy::wait || own_number() != first_root || pool.callers.load(base::relaxed) > 1;
}

void worker::bring_root_task() noexcept {
  needs_root_task_.store(false, base::relaxed);  // relaxed: the caller then looks at the deques, not at this word
  wake();
}

/// Returns null if the caller's work is over, or if it no longer has to stand aside.
task* thief::stand_aside() noexcept {
  start_over();
  while (!me_.work_is_over() && me_.stands_aside()) {
    if (task* t = look_aside()) return t;
    park_aside();
    me_.needs_root_task_.store(false,
                               base::relaxed);  // relaxed: a promotion that comes for it too late is only one too many
  }
  return nullptr;
}

/// While the caller looks for work, it is a thief like the others, and owners may rely on it: `leave` wakes another
/// thief in its place.
task* thief::look_aside() noexcept {
  const bool has_own = me_.box.has_pinned() || me_.box.has_shared() || me_.box.has_affine() || !me_.tasks.seems_empty();
  // relaxed: an estimate. A worker that has work wakes the sleepers itself, also if the work belongs to the root of
  // this caller
  const bool may_steal =
      me_.call_.how != caller_policy::wait && pool_.asleep.load(base::relaxed) == 0 && others_have_work();
  if (!has_own && !may_steal) return nullptr;
  enter();
  since_ = base::now();
  next_request_ = 0;
  // if a worker got a request in the last round, and has not acknowledged it, this round interrupts it
  task* t = own_work();
  while (t == nullptr && may_steal && !me_.work_is_over()) {
    t = steal_aside();
    if (t != nullptr || base::now() - since_ > pool_.spin || !root_has_pending()) break;
    for (int i = 0; i < 8; ++i) base::pause();
  }
  if (t == nullptr) pool_.wanted.lower();
  leave(t);
  if (t == nullptr && may_steal) stay_short();
  return t;
}

/// A worker that had no processor while this caller looked acknowledges the request later, when we no longer count this
/// caller. `needs_root_task` tells that worker that the caller can take the work.
void thief::stay_short() noexcept {
  me_.needs_root_task_.store(true, base::relaxed);  // relaxed: published by the requests
  for (unsigned i = 0; i < pool_.members(); ++i) {
    worker& w = pool_.member(i);
    if (&w == &me_ || !serves_my_root(w)) continue;
    const hazard held{me_.protected_worker, w};
    if (held.allowed()) post_request(*w.words.load(base::relaxed));  // relaxed: published with busy
  }
}

/// Tries to steal from every worker once, and posts a work request to the workers that run work of the same root.
task* thief::steal_aside() noexcept {
  const base::ticks now = base::now();
  for (unsigned i = 0; i < pool_.members(); ++i) {
    worker& victim = pool_.member(i);
    if (task* t = try_steal(victim)) return t;
    if (now - since_ > pool_.patience) {
      if (task* t = try_steal_affine(victim)) return t;
    }
    if (now >= next_request_ && serves_my_root(victim)) request_work(victim, now);
  }
  return nullptr;
}

bool thief::serves_my_root(const worker& w) const noexcept {
  return w.serves.load(base::relaxed) == me_.own_number();  // relaxed: an estimate
}

/// Returns true if a task of any root is queued, or a fork of this caller's root is pending. An estimate.
bool thief::others_have_work() noexcept {
  for (unsigned i = 0; i < pool_.members(); ++i) {
    const worker& w = pool_.member(i);
    if (&w != &me_ && (!w.tasks.seems_empty() || w.box.has_shared() || w.box.has_affine())) return true;
  }
  return root_has_pending();
}

bool thief::root_has_pending() noexcept {
  for (unsigned i = 0; i < pool_.members(); ++i) {
    worker& w = pool_.member(i);
    if (&w == &me_ || !serves_my_root(w)) continue;
    const hazard held{me_.protected_worker, w};
    if (held.allowed() && has_pending(*w.words.load(base::relaxed))) return true;  // relaxed: published with busy
  }
  return false;
}

void thief::park_aside() noexcept {
  if (me_.look_when_idle()) {
    sched_yield();
    return;
  }
  me_.aside_parker_.announce();
  // pairs with the fence in worker::wake: either this caller sees the published work, or the waker sees it asleep
  base::fence(base::seq_cst);
  const bool stays = me_.work_is_over() || !me_.stands_aside() || me_.has_open_source() || me_.box.has_pinned() ||
                     me_.box.has_for(me_);
  if (stays) {
    me_.aside_parker_.cancel();
    return;
  }
  me_.counts.parks.add();
  me_.note(event_kind::sleeps);
  me_.aside_parker_.park(aside_park_timeout());
  me_.note(event_kind::wakes);
}

/// Returns the longest time to sleep, in microseconds; 0 means until woken. The more callers there are, the less the
/// pool needs one of them.
std::uint32_t thief::aside_park_timeout() const noexcept {
  if (me_.call_.how == caller_policy::wait) return 0;
  const int others = pool_.callers.load(base::relaxed) - 1;  // relaxed: an estimate
  return 500 * static_cast<std::uint32_t>(std::clamp(others, 1, 8));
}

}  // namespace tine::sched
