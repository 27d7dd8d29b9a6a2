// Stealing, and work requests: a thief's search, on its own thread. It touches other workers' deques and inboxes, and
// under a hazard their hot words. src/sched/README.md has the protocol.
#include "sched/hazard.hpp"
#include "sched/interrupt.hpp"
#include "sched/pool_state.hpp"
#include "sched/thief.hpp"

#include <sched.h>
#include <algorithm>

namespace tine::sched {
namespace {

constexpr unsigned looks_before_inquiry = 5;  // looks at a signal that is not handled; a millisecond in all

}  // namespace

thief::thief(worker& w) noexcept
    : me_{w}, pool_{w.pool}, since_{base::now()}, request_gap_{w.pool.request_gap}, patience_{w.pool.patience} {}

task* thief::find() noexcept {
  for (;;) {
    task* const t = me_.stands_aside() ? stand_aside() : search();
    if (t != nullptr || me_.work_is_over()) return t;
  }
}

/// Counts the thief as idle and awake, until it leaves.
void thief::enter() noexcept {
  pool_.wanted.raise();
  pool_.awake[me_.where.numa_node].fetch_add(1, base::seq_cst);  // pairs with the decrement in sleep
}

/// One search, in rounds: urgent roots, our own work, a random victim, normal roots. A round that finds nothing
/// requests work; a lazy pool's thief that has looked for long goes to sleep. Returns null if the worker's work is
/// over, or if it has to stand aside.
task* thief::search() noexcept {
  enter();
  start_over();
  for (unsigned round = 1;; ++round) {
    // relaxed, here and below: see root_queue
    if (task* t = pool_.roots.filled.load(base::relaxed) ? take_root(root_priority::urgent) : nullptr) return leave(t);
    const bool looks = pool_.source() != nullptr && me_.look_when_idle();
    if (task* t = own_work()) return leave(t);
    if (me_.work_is_over() || me_.stands_aside()) return give_up();
    worker& victim = draw_victim();
    if (task* t = try_steal(victim)) return leave(t);
    if (task* t = pool_.roots.filled.load(base::relaxed) ? take_root(root_priority::normal) : nullptr) return leave(t);
    const base::ticks now = base::now();
    task* const affine = now - since_ > pool_.patience ? try_steal_affine(victim) : nullptr;
    if (affine != nullptr) return leave(affine);  // we don't count it as a steal: it never was promoted
    if (now >= next_request_) request_work(victim, now);
    if (pool_.settings.idle == idle_policy::lazy && now - since_ > pool_.spin) {
      sleep();
    } else if (round % 64 == 0 && (pool_.crowded || looks)) {
      sched_yield();
    } else {
      for (int i = 0; i < 8; ++i) base::pause();
    }
  }
}

/// Takes a submitted root, unless this worker is a caller that takes only work of its own root.
task* thief::take_root(root_priority how) noexcept {
  const submission* const s = me_.takes_all() ? pool_.roots.take(how) : nullptr;
  if (s == nullptr) return nullptr;
  return s->what;
}

/// Leaves without work.
task* thief::give_up() noexcept {
  pool_.wanted.lower();
  return leave(nullptr);
}

/// Draws by libfork's eq. 6 among the workers with an assigned processor. Callers beyond the first have none, so they
/// draw and are drawn with equal probability.
worker& thief::draw_victim() noexcept {
  const unsigned n = pool_.members();
  const unsigned placed = pool_.settings.workers;
  if (!me_.hunt_.victims.empty() && (n == placed || me_.hunt_.random() % n < placed))
    return pool_.member(me_.hunt_.victims.draw(me_.hunt_.random()));
  return pool_.member(static_cast<unsigned>(me_.hunt_.random() % n));
}

/// Look at our own work before we steal. Pinned submissions come first, because no other worker may take them. Our own
/// deque can still hold tasks of a coroutine's fiber: a coroutine that suspends releases the whole fiber, and its tasks
/// stay here. We take the oldest first, as a thief would: tasks that were promoted later may be inside of it, and a
/// recorded schedule has no other order.
task* thief::own_work() noexcept {
  if (task* t = me_.box.has_pinned() ? take_pinned() : nullptr) return t;
  if (const submission* s = me_.box.take_shared(me_)) return s->what;
  if (task* t = steal_from(me_)) return t;
  return me_.box.has_affine() ? take_affine(me_) : nullptr;
}

task* thief::take_pinned() noexcept {
  const submission* const s = me_.box.take_pinned();
  if (s == nullptr) return nullptr;
  pool_.wanted.lower();  // no other worker could take it, so it met no demand
  return s->what;
}

/// Takes the oldest task from the deque of a worker.
task* thief::steal_from(worker& from) noexcept {
  task* t = nullptr;
  const auto accept = [this](const task* oldest) { return me_.accepts(oldest); };
  return !from.tasks.seems_empty() && from.tasks.steal(t, accept) == steal_result::stolen ? t : nullptr;
}

task* thief::take_affine(worker& from) noexcept {
  const submission* s = from.box.take_affine(me_);
  if (s == nullptr) return nullptr;
  pool_.wanted.lower();  // it met no demand, like a pinned submission
  return s->what;
}

task* thief::try_steal(worker& victim) noexcept {
  if (&victim == &me_) return nullptr;
  task* t = steal_from(victim);
  if (const submission* s = t == nullptr ? victim.box.take_shared(me_) : nullptr) t = s->what;
  if (t != nullptr) me_.counts.steals.add(), me_.note(event_kind::steals, base::to_word(unnumbered(t)), victim.index);
  return t;
}

/// The last resort: takes an affinity submission to a worker that doesn't come to take it.
task* thief::try_steal_affine(worker& victim) noexcept {
  return &victim == &me_ || !victim.box.has_affine() ? nullptr : take_affine(victim);
}

/// The worker stops being a thief, because it has found `t` or has no reason to look. If it was the last one awake, it
/// wakes another in its place. Returns `t`.
task* thief::leave(task* t) noexcept {
  // pairs with the decrement in sleep: by these decrements exactly one thief of a NUMA node sees that it is the last
  // one awake
  const bool was_last = pool_.awake[me_.where.numa_node].fetch_sub(1, base::seq_cst) == 1;
  // relaxed: the decrement synchronises with that of each sleeper, which was counted asleep before
  if (was_last && pool_.asleep.load(base::relaxed) > 0) pool_.wake_one(me_);
  return t;
}

/// Posts a work request to a busy worker, or interrupts the worker if a request has been pending there for long.
void thief::request_work(worker& victim, base::ticks now) noexcept {
  // relaxed: a glance, to save the hazard
  if (&victim == &me_ || !victim.busy.load(base::relaxed)) return;
  const hazard held{me_.protected_worker, victim};
  if (!held.allowed()) return;
  // relaxed: the address of the words was published with busy
  hot_words& h = *victim.words.load(base::relaxed);
  if (me_.has_timeline()) note_sight(has_pending(h));
  std::vector<victim_note>& notes = me_.hunt_.notes;
  if (victim.index >= notes.size()) notes.resize(victim.index + std::size_t{1});
  base::ticks& requested_since = notes[victim.index].requested_since;
  if (h.limit.load(base::relaxed) != nullptr) {  // relaxed: a glance; a second request does no harm
    post_request(h);
    me_.counts.requests.add();
    requested_since = now;
    next_request_ = now + request_gap_;
    request_gap_ = std::min(2 * request_gap_, 8 * pool_.request_gap);
  } else if (requested_since == 0) {
    requested_since = now;  // another thief's request; our patience starts now
  } else if (pool_.signals && now - requested_since > patience_ && has_pending(h) && victim.tasks.seems_empty()) {
    interrupt(victim, now);
  }
}

/// The thief has looked at a victim. After as many vain looks as there are workers, it records that it sees no work.
void thief::note_sight(bool pending) noexcept {
  vain_looks_ = pending ? 0 : vain_looks_ + 1;
  if (sees_work_ ? vain_looks_ < pool_.members() : !pending) return;
  sees_work_ = pending;
  me_.note(pending ? event_kind::sees_work : event_kind::sees_none);
}

/// Sends a signal. If the last one is still unhandled, another would merge with it, so we wait: usually the victim just
/// waits for a processor. If that takes long, the thief inquires.
void thief::interrupt(worker& victim, base::ticks now) noexcept {
  victim_note& note = me_.hunt_.notes[victim.index];
  const std::uint64_t handled = victim.signals.handled();
  const pid_t thread = victim.thread.load(base::relaxed);  // relaxed: published with busy, which the hazard has seen
  const bool is_overdue = note.sent != 0 && handled == note.handled && thread == note.thread;
  if (is_overdue && now - note.sent < 8 * pool_.patience) return;
  note = {note.requested_since,        now, handled, thread, is_overdue ? note.unhandled + 1 : 0,
          is_overdue ? note.ran_ns : 0};
  const bool replaced = take_handler_back(pool_.settings.signal);
  if (replaced) me_.counts.handlers_replaced.add();
  if (is_overdue && !replaced && !is_lost(victim, note)) return;
  me_.counts.signals.add();
  me_.note(event_kind::interrupts, 0, victim.index);
  send_interrupt(victim);
  note.requested_since = now;
  patience_ = std::min(2 * patience_, 8 * pool_.patience);
}

/// Returns true if a signal that has not been handled must be sent again.
bool thief::is_lost(const worker& victim, victim_note& note) noexcept {
  if (note.unhandled % looks_before_inquiry != 0) return false;
  const signal_fate fate = inquire(victim, note.handled, note.ran_ns);
  if (fate == signal_fate::prevented) me_.counts.signals_prevented.add();
  return fate == signal_fate::lost;
}

}  // namespace tine::sched
