// The join of a promoted record: take it back, find it finished, or suspend the fiber until it is.
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/base/assert.hpp>
#include <tine/sched/alert.hpp>

namespace tine::sched {

void worker::suspend_until(completion& done, address records_end, address resume_at) noexcept {
  leave_fiber(departure::then::suspend, &done, records_end, resume_at);
}

void worker::leave_fiber(departure::then what, void* awaited, address records_end, address resume_at) noexcept {
  fiber& self = *running_;
  counts_.suspensions.add();
  end_run();
  self.home = this;
  self.root = serves.load(base::relaxed);  // relaxed: own word
  const bool returns = pool.keeps_threads();
  if (returns) expect_back();
  self.tokens = bucket_.hand_over();
  self.trim(records_end);
  leave_for(spare_fiber(), what, awaited);
  if (returns) self.home->note_back();
  worker& w = *hot::self();
  w.serves.store(self.root, base::relaxed);  // relaxed: a glance of others
  w.bucket_.receive(self.tokens);
  w.begin_run(hot::words(), resume_at);
}

joined worker::join(task& t, address begin, address end, bool wanted) noexcept {
  hot::enter_scheduler();
  const joined how = hot::self()->take_back(&t, begin) ? joined::unstolen : joined::stolen;
  if (how == joined::stolen) {
    if (!t.done.is_finished()) {
      alert unwanted;
      if (!wanted) {
        t.stopping.store(true, base::relaxed);  // relaxed: the alert brings it
        unwanted.raise();
      }
      hot::self()->suspend_until(t.done, end, begin);
    }
    hot::self()->collect(t);
  }
  // relaxed: own word
  hot::words().bot.store(begin, base::relaxed);
  hot::leave_scheduler();
  return how;
}

joined plain::join(task& t) noexcept {
  const auto at = reinterpret_cast<address>(&t);
  return worker::join(t, at, at + t.what->size, true);
}

joined plain::join(part& p) noexcept { return worker::join(p, p.of->begin_address(), p.of->end_address(), true); }

joined plain::discard(task& t) noexcept {
  const auto at = reinterpret_cast<address>(&t);
  return worker::join(t, at, at + t.what->size, false);
}

joined plain::discard(part& p) noexcept { return worker::join(p, p.of->begin_address(), p.of->end_address(), false); }

/// Lemma: a pop gives the task that is joined, or it is stolen or on its way. Reason: records are promoted oldest first,
/// stolen oldest first, and joined newest first, so if the task is in this deque, it is the newest of its fiber there;
/// and a fiber that suspends at a join waits for a stolen task, so all its older ones are stolen, too. Only when a
/// coroutine has suspended for something outside are there tasks of other fibers: then the newest may be one of those,
/// which goes back, and the joined one, should it lie below, is taken by whoever goes on here while we wait. Even the
/// same continuation may be in its own next life, queued from another record.
bool worker::take_back(task* t, address record) noexcept {
  task* newest = tasks.pop();
  if (newest == nullptr) return false;
  if (unnumbered(newest) != t ||
      (is_continuation(t) && !was_queued_from(reinterpret_cast<std::uintptr_t>(t) - continuation_bit, record))) {
    tasks.push(newest);
    pool.wake_if_needed(*this);  // a sleeper may have missed it while we held it
    return false;
  }
  if (!is_continuation(t)) bucket_.take_back(t->what->sharing, t->tokens);
  pool.wanted.unclaim();
  pool.wake_if_deserted(*this);
  counts_.unstolen.add();
  return true;
}

void worker::collect(task& t) noexcept {
  bucket_.learn((t.done.flags() & completion::brief) != 0);
  bucket_.receive(t.tokens);
  if (t.alerts) end_alert();
}

}  // namespace tine::sched
