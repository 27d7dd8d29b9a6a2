// The join of a promoted record, on the thread of the strand that joins: reclaims the task, finds it finished, or
// suspends the fiber until it has finished. An isolated strand blocks its thread instead.
#include "base/fp_environment.hpp"
#include "base/thread_errno.hpp"
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/scope.hpp>

#include <mutex>

namespace tine::sched {
namespace {

/// Called when a strand has to wait in a pool whose threads are in the parent of this process.
[[noreturn]] TINE_COLD void end_in_child() noexcept {
  base::fatal(
      "a child of fork(2), forked inside a pool, waits for work that a thread of its parent had taken: let the child call exec or _exit there.");
}

}  // namespace

/// Suspends the running strand: writes down what its fiber needs when it resumes, and switches to a spare fiber, which
/// continues as a thief. The code after `leave_for` runs when the strand is resumed, perhaps on another thread.
void worker::leave_fiber(departure::then what, void* awaited, address records_end, address resume_at) noexcept {
  if (pool.is_lost.load(base::relaxed)) end_in_child();  // relaxed: see pool_state::lost
  const base::kept_errno as_it_was;
  fiber& self = *running_;
  counts.suspensions.add();
  note(event_kind::suspends, base::to_word(&self));
  end_run();
  self.origin = this;
  self.root = serves.load(base::relaxed);  // relaxed: own word
  const bool returns = pool.keeps_threads();
  if (returns) expect_back();
  self.tokens = bucket_.hand_over();
  self.trim(records_end);
  self.left_by = what, self.awaited = awaited;
  self.open_records_end = records_end;
  leave_for(spare_fiber(), what, awaited);
  if (returns) self.origin->note_back();
  worker& w = *hot::self();
  w.serves.store(self.root, base::relaxed);  // relaxed: a glance of others
  w.bucket_.receive(self.tokens);
  w.note(event_kind::resumes, base::to_word(&self), self.origin->index);
  w.begin_run(hot::words(), resume_at);
  base::signal_fence();  // a garbage collector may stop the thread between the two
  self.open_records_end = nullptr;
}

void worker::suspend_until(completion& done, address records_end, address resume_at) noexcept {
  leave_fiber(departure::then::suspend, &done, records_end, resume_at);
}

/// Returns true if the task ends within this many ticks.
bool worker::ends_within(base::ticks limit, const completion& done) const noexcept {
  const base::ticks began = base::now();
  while (!done.is_finished() && !pool.crowded && base::now() - began < limit) base::pause();
  return done.is_finished();
}

/// The thread runs nothing else meanwhile, and no other worker waits for that. Reason: the joined task was stolen, so
/// all older tasks of the fiber were, too, and none of its records is pending (the lemma at `reclaim`). To other
/// workers this one is neither busy nor a thief.
void worker::block_until(completion& done) noexcept {
  if (pool.is_lost.load(base::relaxed)) end_in_child();  // relaxed: see pool_state::lost
  end_run();
  static_cast<void>(ends_within(pool.spin, done));
  // The parker's call comes only from the worker that ends the task, and only after `await` has named this one.
  join_parker_.announce();
  if (done.await(base::to_word(this) | blocks_at_join)) {
    note(event_kind::sleeps);
    join_parker_.park(0);
    note(event_kind::wakes);
  } else {
    join_parker_.cancel();
  }
  start_running(hot::words());
}

void worker::wait_for(task& t, address begin, address end, bool wanted) noexcept {
  alert unwanted;
  if (!wanted) {
    t.stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
    unwanted.raise();
  } else if (ends_within(pool.join_spin, t.done)) {  // to suspend a strand and to resume it takes as long
    return;
  }
  is_isolated() ? block_until(t.done) : suspend_until(t.done, end, begin);
}

/// A slow join. First we try to take the task back from our own deque: then no thief has it, and the caller runs it.
/// Otherwise a thief has it, and we wait for its end. In the end `bot` moves back to the record, which is free.
joined worker::join(task& t, address begin, address end, bool wanted) noexcept {
  const base::kept_errno as_it_was;
  hot::enter_scheduler();
  const joined how = hot::self()->reclaim(&t, begin) ? joined::reclaimed : joined::stolen;
  if (how == joined::stolen) {
    if (!t.done.is_finished()) hot::self()->wait_for(t, begin, end, wanted);
    hot::self()->collect(t);
  }
  // relaxed: own word
  hot::words().bot.store(begin, base::relaxed);
  hot::leave_scheduler();
  return how == joined::reclaimed && wanted ? join_skipped(t, begin, end) : how;
}

joined plain::join(task& t) noexcept {
  return worker::join(t, base::bytes_of(t), base::bytes_of(t) + t.what->size, true);
}

joined plain::join(promoted_subrange& p) noexcept {
  return worker::join(p, p.of->begin_address(), p.of->end_address(), true);
}

joined plain::discard(task& t) noexcept {
  return worker::join(t, base::bytes_of(t), base::bytes_of(t) + t.what->size, false);
}

joined plain::discard(promoted_subrange& p) noexcept {
  return worker::join(p, p.of->begin_address(), p.of->end_address(), false);
}

/// Lemma: a pop returns the task that is joined, or that task is stolen or on its way to a thief. Reason: records are
/// promoted oldest first, stolen oldest first, and joined newest first. So if the task is in this deque, it is the
/// newest of its fiber there. And a fiber that suspends at a join waits for a stolen task, so all its older tasks are
/// stolen, too.
///
/// The deque holds tasks of other fibers only if a coroutine has suspended for an event outside of the pool, or a fiber
/// waits at a join counter. Then the newest task may be one of these orphaned tasks. We push it again. If the joined
/// task lies below, a worker that looks for work takes it while this fiber waits. The popped task may even be the same
/// continuation, which was resumed in the meantime and queued again from another record.
bool worker::reclaim(task* t, address record) noexcept {
  task* newest = tasks.pop();
  if (newest == nullptr) return false;
  if (unnumbered(newest) != t || (is_continuation(t) && !was_queued_from(base::to_word(t) - continuation_bit, record)))
    return put_back(newest);
  if (!is_continuation(t)) bucket_.reclaim(t->what->sharing, t->tokens);
  note_reclaimed(t);
  return true;
}

void worker::note_reclaimed(const task* t) noexcept {
  pool.wanted.unclaim();
  pool.wake_if_deserted(*this);
  counts.reclaimed.add();
  note(event_kind::reclaims, base::to_word(t));
}

/// Queues an orphaned task again. Returns false: we did not reclaim the joined task.
bool worker::put_back(task* orphan) noexcept {
  tasks.push(orphan);
  pool.wake_if_needed(*this);  // a sleeper may have missed it while it was not in the deque
  return false;
}

/// The lemma of `reclaim` doesn't hold for tasks that lie in no record: any other task may be the newest one. Then the
/// wanted task stays queued, and a worker that looks for work takes it while this strand waits. But the thread of a
/// strand that must keep it doesn't look for work, and may be the only one.
task* worker::reclaim_newest(bool (&wanted)(const task&, const void*), const void* by) noexcept {
  task* const newest = tasks.pop();
  if (newest == nullptr) return nullptr;
  task* const t = unnumbered(newest);
  if (is_continuation(t) || !wanted(*t, by)) {
    put_back(newest);
    return must_keep_thread() ? find_queued(wanted, by) : nullptr;
  }
  note_reclaimed(t);
  return t;
}

/// Takes every task of the deque as a thief would, and queues all but one again, so they keep their order.
task* worker::find_queued(bool (&wanted)(const task&, const void*), const void* by) noexcept {
  task* found = nullptr;
  for (std::int64_t left = tasks.length(); left > 0; --left) {
    task* oldest = nullptr;
    if (tasks.steal(oldest) != steal_result::stolen) continue;
    task* const t = unnumbered(oldest);
    if (found == nullptr && !is_continuation(t) && wanted(*t, by)) {
      note_reclaimed(found = t);
    } else {
      put_back(oldest);
    }
  }
  return found;
}

namespace {

/// The task was promoted under other floating-point control words than those with which serial code would run it now.
TINE_COLD void say_words_differ() noexcept {
  static constinit std::once_flag said;
  std::call_once(said, [] {
    base::warn(
        "a branch ran with another rounding mode, flush-to-zero or set of traps than in serial code, because the branch beside it changed them while the fork was open. Change them in tine::floating_point_scope, or before the fork (docs/reference/thread-state.md).");
  });
}

}  // namespace

void worker::collect(task& t) noexcept {
  bucket_.learn((t.done.flags() & completion::short_task) != 0);
  bucket_.receive(t.tokens);
  if (t.alerts) end_alert();
  base::raise_fp(fp_flags_of(t.done.flags()));
  if (t.fp_words != base::fp_control()) say_words_differ();
}

}  // namespace tine::sched
