// Promotion: the oldest pending record becomes a task that thieves can see. It runs on the thread that owns the
// records, in the slow path of a fork (poll) or in the signal handler, always between enter_scheduler and
// leave_scheduler.
#include "base/fp_environment.hpp"
#include "base/thread_errno.hpp"
#include "sched/pool_state.hpp"
#include "sched/thief_policy.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/scope.hpp>

#include <algorithm>
#include <exception>

namespace tine::sched {

polled plain::poll() noexcept {
  hot_words& h = hot::words();
  if (h.self == nullptr) return polled::outside;
  if (is_instrumented(h)) return polled::instrumented;
  if (h.self->pool.source() != nullptr) h.self->look_when_busy();
  // If the fork stops, we don't serve idle workers: the program no longer needs the results of the pending records. The
  // request stays pending, so the next fork stops, too.
  const bool stops = must_stop();
  hot::enter_scheduler();
  if (!stops && h.self->running()->skips.of != nullptr) h.self->promote_if_skipping_for_long(h);
  h.self->serve_request(h, stops);
  hot::leave_scheduler();
  return stops ? polled::stopping : polled::inside;
}

void plain::serve_requests() noexcept {
  if (worker* const w = hot::self(); w != nullptr && w->pool.source() != nullptr) w->look_when_busy();
  hot::enter_scheduler();
  hot_words& h = hot::words();
  h.self->serve_request(h, false);
  hot::leave_scheduler();
}

void plain::offer(unsigned more) noexcept {
  hot_words& h = hot::words();
  if (h.self == nullptr || is_instrumented(h)) return;
  if (more == 0 && !is_requested() && h.self->pool.wanted.unmet() <= 0) return;
  hot::enter_scheduler();
  h.self->serve_request(h, false);
  h.self->offer(h, more);
  hot::leave_scheduler();
}

/// Tokens keep branches that may be short from being promoted too often. An offer says that they are long enough, so it
/// needs none. Under the other policies, the tokens are a promise about each strand.
void worker::offer(hot_words& h, unsigned more) noexcept {
  const base::kept_errno as_it_was;
  if (bucket_.kind() != promotion::kind::on_demand) return;
  while (may_promote(h, all_levels)) {
    const bool claimed = pool.wanted.claim();
    if (!claimed) {
      if (more-- == 0) return;
      pool.wanted.force();
    }
    queue_oldest(h, promoted_by::poll, claimed ? thief_policy::takers(pool.wanted.unmet()) : 1);
  }
}

address worker::grow_up_to(address top) noexcept {
  while (top > running_->records_end() && running_->grow()) {
  }
  return running_->records_end();
}

void worker::grow_or_end(address top) noexcept {
  if (top <= grow_up_to(top)) return;
  base::fatal((running_->may_grow() ? pool.records_refused : pool.shadow_overflow).c_str());
}

void worker::serve_request(hot_words& h, bool stops) noexcept {
  const base::kept_errno as_it_was;
  counts.polls.add();
  if (pool.source() != nullptr) beat_for_events();
  require_capacity(h.top.load(base::relaxed));  // relaxed: own word
  if (stops) return;
  acknowledge(h, unrequested_limit(h));
  rearm_limit(h, serve(h, promoted_by::poll));
}

/// Returns the innermost scope that holds the record at `at`. A scope that began on this fiber after the record was
/// written doesn't hold it. We only read own words and frames that still exist, because the signal handler may call
/// this. Lemma: a scope that began on another fiber holds all records of this fiber. Reason: the strand of this fiber
/// has been inside of it since it began.
const scope* worker::scope_of(const hot_words& h, address at) const noexcept {
  auto* s = base::from_word<const scope>(h.fiber_local[scope_word]);
  while (s != nullptr && at < s->from && running_->holds_record(s->from)) s = s->outer;
  return s;
}

/// Returns the floating-point control words under which the record at `at` was forked: the current ones, or those
/// before the oldest younger scope that may have changed them.
base::fp_words worker::words_of_fork(const hot_words& h, address at) const noexcept {
  base::fp_words found = base::fp_control();
  const scope* const inside = scope_of(h, at);
  for (auto* s = base::from_word<const scope>(h.fiber_local[scope_word]); s != inside; s = s->outer) {
    if (s->changes_words) found = s->words_before;
  }
  return found;
}

/// Returns the position of the counted fork whose record at `at` is about to be promoted, in the scope `inside`, which
/// is in a region. Returns null if the record is of another kind.
position* worker::counted_fork_at(address at, const scope* inside) noexcept {
  if (is_continuation_at(at) || range_at(at) != nullptr) return nullptr;
  const task& t = *base::object_at<task>(at);
  position* const p = t.written_position();
  if (p != nullptr) p->in = inside->in;
  return p;
}

/// The strand is in a region. Returns true if the region doesn't yet know the fork of the oldest pending record. That
/// is so at the start of a fork's slow path, where the record is also the newest one; the signal handler must not
/// promote it then. (A loop of such a strand writes its record in the slow path.)
///
/// If no younger record is pending, we go up through the branches that the strand is in, but at most through `levels`
/// of them. If that doesn't suffice, the answer is true.
bool worker::is_unknown_to_region(const hot_words& h, std::uint32_t levels) const noexcept {
  const address at = h.bot.load(base::relaxed);  // relaxed: own word
  if (range_at(at) != nullptr) return false;
  const bool is_continuation = is_continuation_at(at);
  const std::size_t bytes = is_continuation ? continuation_bytes : base::object_at<task>(at)->what->size;
  if (at + bytes != h.top.load(base::relaxed)) return false;  // relaxed: own word
  const scope* const inside = scope_of(h, at);
  if (inside == nullptr || inside->in == nullptr) return false;
  if (is_continuation) return !is_known_to_region(base::word_at(at) - continuation_bit, at);
  const position* p = position::of(h.fiber_local[position_word]);
  while ((p->record == nullptr || p->is_in_loop()) && p->up() != nullptr) {
    if (levels-- == 0) return true;
    p = p->up();
  }
  return p->record != at;
}

/// Returns true if the running strand has a record that may be promoted now.
bool worker::may_promote(hot_words& h, std::uint32_t levels) const noexcept {
  return find_pending(h) && (h.fiber_local[position_word] == 0 || !is_unknown_to_region(h, levels));
}

/// Returns the number of branches through which a signal goes up. It is small at first. Most strands in a region that a
/// signal finds deep in second branches are at the start of a fork, and thieves would interrupt them again and again
/// while they advance little. A branch that runs for long without a fork is at the same position at the next signal,
/// which goes up twice as far.
std::uint32_t worker::levels_of_signal(const hot_words& h) noexcept {
  constexpr std::uint32_t at_first = 64;
  const position* const here = position::of(h.fiber_local[position_word]);
  const bool is_same = here == search_.from && search_.levels != 0;
  search_ = {here, is_same ? std::min(search_.levels, all_levels / 2) * 2 : at_first};
  return search_.levels;
}

address worker::unrequested_limit(const hot_words& h) const noexcept {
  return is_instrumented(h) ? armed_limit : running_->records_end();
}

/// The signal handler promotes like a poll. After a beat we leave a request pending, so the next fork promotes again,
/// unless the tokens are used up.
void worker::serve_signal(hot_words& h, bool beat) noexcept {
  signals.note();
  const std::uint64_t before = counts.promotions.get();
  const served how = serve(h, promoted_by::signal);
  if (counts.promotions.get() != before) search_ = {};
  if (!beat) note(event_kind::interrupted);
  note(how == served::no_token ? event_kind::lacks_token : event_kind::serves_again);
  counts.signal_promotions.add(counts.promotions.get() - before);
  if (!beat && counts.promotions.get() == before) count_vain(how);
  // relaxed: the next fork of this same thread tests it
  if (beat && how != served::no_token) h.limit.store(nullptr, base::relaxed);
}

/// Counts a thief's signal that promoted nothing. `how`: why the next record was not promoted; `all` if there was no
/// record.
void worker::count_vain(served how) noexcept {
  switch (how) {
    case served::all:
      return counts.nothing_pending.add();
    case served::no_demand:
      return counts.no_demand.add();
    case served::no_token:
      return counts.no_token.add();
  }
}

bool worker::promote_all_pending(hot_words& h) noexcept {
  while (may_promote(h, all_levels)) {
    if (tasks.full()) return false;  // a push that has to grow the deque allocates
    pool.wanted.force();
    queue_oldest(h, promoted_by::signal, 0);
    counts.signal_promotions.add();
  }
  return true;
}

/// The handler cannot promote here. A thief tries again; a beat must not get lost: if the worker runs a task, its next
/// fork serves the request. If it doesn't, beats are of no use until the next run.
void worker::miss_signal(hot_words& h, bool beat) noexcept {
  signals.note();
  if (!beat) {
    note(event_kind::interrupted);
    return counts.in_scheduler.add();  // the thief tries again
  }
  // relaxed: only this same thread reads both
  if (busy.load(base::relaxed)) {
    h.limit.store(nullptr, base::relaxed);
  } else {
    beat_.rest();
  }
}

/// Promotes the oldest records while there is one, an idle worker wants it (on demand), and a token pays for it.
/// Returns which of the three was missing first.
worker::served worker::serve(hot_words& h, promoted_by why) noexcept {
  bucket_.accrue(base::now());
  const bool on_demand = bucket_.kind() == promotion::kind::on_demand;
  const std::uint32_t levels = why == promoted_by::signal ? levels_of_signal(h) : all_levels;
  while (may_promote(h, levels)) {
    const bool claimed = on_demand && pool.wanted.claim();
    worker* const caller = on_demand && !claimed ? caller_short_of_work() : nullptr;
    if (on_demand && !claimed && caller == nullptr) return served::no_demand;
    // a signal handler must not allocate, and there may be no memory; a full deque starves no thief
    const bool full = tasks.full() && (why == promoted_by::signal || !tasks.make_space());
    if (full || !bucket_.spend(why)) {
      if (claimed) pool.wanted.unclaim();
      return full ? served::no_demand : served::no_token;
    }
    if (!claimed) pool.wanted.force();
    // fair shares for all idle workers; this owner has claimed one of them
    queue_oldest(h, why, claimed ? thief_policy::takers(pool.wanted.unmet()) : 1);
    if (caller != nullptr) caller->bring_root_task();
  }
  return served::all;
}

/// Returns the scope that a record inherits if it is promoted while an alert is raised. A destructor may fork while a
/// stop unwinds the stack; that branch must not throw on another worker either. The shield may also hide a record that
/// is older than the destructor. That record stops when the exception comes to its fork, which discards it. The
/// unwinding strand has seen the alert.
const scope* worker::shielded(const scope* inside) noexcept {
  static constexpr scope shield{nullptr, nullptr, nullptr};
  static constexpr scope isolated_shield = [] {
    scope s;
    s.isolates = true;
    return s;
  }();
  if (!is_stopping(inside) || std::uncaught_exceptions() == 0) return inside;
  return inside->isolates ? &isolated_shield : &shield;
}

/// Makes the oldest record a task with its share of the tokens and the scope of its fork, and publishes it in the
/// deque.
void worker::queue_oldest(hot_words& h, promoted_by why, unsigned takers) noexcept {
  if (!tasks.make_space()) base::fatal("out of memory: a worker has no space for another task in its queue.");
  const address at = h.bot.load(base::relaxed);  // relaxed: own word
  const scope* inside = scope_of(h, at);
  position* const counted = inside != nullptr && inside->in != nullptr ? counted_fork_at(at, inside) : nullptr;
  const base::fp_under as_forked{words_of_fork(h, at)};
  task* t = promote_oldest(h, takers);
  // the thief of a continuation finds the scope through the stack of the frame (src/coro/join.cpp)
  if (!is_continuation(t)) {
    t->tokens = bucket_.share(t->what->sharing);
    t->set_fp_words(base::fp_control());
    if (pool.alerts.load(base::relaxed) > 0) inside = shielded(inside);  // relaxed: the unwinding strand has seen it
    counted != nullptr ? t->inherit(*counted, inside) : t->inherit(inside);
  }
  tasks.push(numbered(t, serves.load(base::relaxed)));  // relaxed: own word
  counts.promotions.add();
  note(why == promoted_by::signal ? event_kind::promotes_late : event_kind::promotes, base::to_word(t));
  // relaxed: a hint to sleepers; a sleeper that misses it makes one more timed park
  unserved.store(false, base::relaxed);
  pool.wake_if_needed(*this);
}

void worker::queue(task& t) noexcept {
  const bool claimed = pool.wanted.claim();
  worker* const caller = claimed ? nullptr : caller_short_of_work();
  if (!claimed) pool.wanted.force();
  tasks.push(numbered(&t, serves.load(base::relaxed)));  // relaxed: own word
  pool.wake_if_needed(*this);
  if (caller != nullptr) caller->bring_root_task();
}

/// Sets the limit at the start of a run. A sleeper posts requests only to workers that are busy when it goes to sleep,
/// so a worker that becomes busy later has to look for sleepers itself. A thief that is awake would post a request
/// soon, but then a loop has begun its first chunk.
void worker::set_limit_for_run(hot_words& h) noexcept {
  // an exchange, so that this worker sees the sleeper whose request it acknowledges
  acknowledge(h, unrequested_limit(h));
  // pairs with the announcement in thief::sleep
  const bool has_thieves = pool.asleep.load(base::seq_cst) > 0 || pool.wanted.unmet() > 0;
  const bool on_demand = bucket_.kind() == promotion::kind::on_demand;
  // pairs with the addition in pool_state::begin_alert
  const bool stops = pool.alerts.load(base::seq_cst) > 0 && is_stopping(h);
  // relaxed: the next fork of this same thread tests it
  if (stops || (on_demand ? has_thieves : !waits_for_beat())) h.limit.store(nullptr, base::relaxed);
}

/// Returns true if there is nothing to do until the next heartbeat, which comes as a signal.
bool worker::waits_for_beat() const noexcept {
  return bucket_.kind() == promotion::kind::heartbeat && pool.signals && bucket_.tokens() <= 0;
}

/// Called if idle workers are not served for lack of a token. A request that stayed pending would only slow every fork
/// down (loops by two to three times), so a thief must request work again later. If no thief is awake, this worker
/// wakes one; it will not sleep long while a worker has an unserved request.
void worker::leave_unserved(bool all_sleep) noexcept {
  if (!all_sleep || unserved.load(base::relaxed)) return;  // relaxed: own word
  unserved.store(true, base::seq_cst);                     // pairs with the load in thief::park_timeout
  pool.wake_one(*this);
}

/// Leaves a request pending if there is more to promote before the next heartbeat.
void worker::request_for_beat(hot_words& h) noexcept {
  if (!waits_for_beat()) h.limit.store(nullptr, base::relaxed);  // relaxed: for this same thread
}

/// Called after a work request was acknowledged. If the next fork will also have an idle worker to serve, we leave a
/// request pending.
void worker::rearm_limit(hot_words& h, served how) noexcept {
  note(how == served::no_token ? event_kind::lacks_token : event_kind::serves_again);
  // pairs with the addition in pool_state::begin_alert; relaxed: for this same thread
  if (pool.alerts.load(base::seq_cst) > 0 && is_stopping(h)) h.limit.store(nullptr, base::relaxed);
  if (bucket_.kind() != promotion::kind::on_demand) return request_for_beat(h);
  // pairs with the announcement in thief::sleep: sleepers post no further request
  const int sleepers = pool.asleep.load(base::seq_cst);
  const int unmet = pool.wanted.unmet();
  if (sleepers == 0 || unmet <= 0) return;
  if (how == served::no_token) return leave_unserved(unmet <= sleepers);
  h.limit.store(nullptr, base::relaxed);  // relaxed: for this same thread
}

void pool_state::wake_if_needed(worker& by) noexcept {
  // pairs with the fence of a sleeper after its announcement: either it sees the queued task, or we see it asleep
  base::fence(base::seq_cst);
  const int sleepers = asleep.load(base::seq_cst);
  // queued = idle - unmet, awake = idle - sleepers: enough are awake unless more are queued
  if (sleepers > 0 && sleepers > wanted.unmet()) wake_one(by);
}

void pool_state::wake_if_deserted(worker& by) noexcept {
  // pairs with the announcement in thief::sleep: a sleeper that we don't see here posts a request to all busy workers
  // after the demand came back
  if (asleep.load(base::seq_cst) == 0) return;
  // pairs with the decrement in thief::sleep, for the same reason
  if (awake[by.where.numa_node].load(base::seq_cst) == 0) wake_one(by);
}

bool pool_state::wake_one(worker& by) noexcept {
  const unsigned n = members();
  for (const bool same_node : {true, false}) {
    for (unsigned i = 1; i <= n; ++i) {
      worker& w = member((by.index + i) % n);
      if ((w.where.numa_node == by.where.numa_node) == same_node && w.idle_parker.is_asleep() && w.wake()) {
        by.counts.wakes.add_shared();  // a thread that submits may be no worker of this pool
        return true;
      }
    }
  }
  return false;
}

}  // namespace tine::sched
