// The join of a promoted record: take it back, find it finished, or suspend the fiber until it is.
#include "sched/pool_state.hpp"
#include "sched/worker.hpp"

#include <tine/base/assert.hpp>

namespace tine::sched {

void worker::suspend_until(completion& done, address records_end, address resume_at) noexcept {
  fiber& self = *running_;
  counts_.suspensions.add();
  end_run();
  self.tokens = bucket_.hand_over();
  self.trim(records_end);
  leave_for(spare_fiber(), departure::then::suspend, &done);
  worker& w = *hot::self();
  w.bucket_.receive(self.tokens);
  w.begin_run(hot::words(), resume_at);
}

joined join(task& t) noexcept {
  hot::enter_scheduler();
  const joined how = hot::self()->take_back(&t) ? joined::unstolen : joined::stolen;
  if (how == joined::stolen) {
    const auto at = reinterpret_cast<address>(&t);
    if (!t.done.is_finished()) hot::self()->suspend_until(t.done, at + t.what->size, at);
    hot::self()->collect(t);
  }
  // relaxed: own word
  hot::words().bot.store(reinterpret_cast<address>(&t), base::relaxed);
  hot::leave_scheduler();
  return how;
}

/// Lemma: the deque holds only tasks of the fiber that runs, newest at the bottom. Reason: records are promoted oldest
/// first, stolen oldest first, and joined newest first; and a fiber that suspends waits for a stolen task, so all older
/// ones are stolen too. Hence a pop gives the task that is joined, or nothing.
bool worker::take_back(task* t) noexcept {
  task* newest = tasks.pop();
  if (newest == nullptr) return false;
  if (newest != t) {
    tasks.push(newest);
    return false;
  }
  pool.wanted.unclaim();
  pool.wake_if_deserted(*this);
  counts_.unstolen.add();
  return true;
}

void worker::collect(task& t) noexcept {
  bucket_.learn((t.done.flags() & completion::brief) != 0);
  bucket_.receive(t.tokens);
}

}  // namespace tine::sched
