// Task groups. At most one task of a group is in an inbox: the oldest pending one. The worker that takes it from there
// puts the next one there before it runs its own, so idle workers wake one after the other. The thread that waits takes
// the newest one, and runs it on its own stack. So a group as a recursion needs no more memory than the recursion
// itself, and no strand waits below foreign work.
//
// Any thread may add tasks, and the lock guards all members. A thread that ends a task or leaves the group touches
// nothing of it after it has released the lock.
#include "sched/external_wait.hpp"
#include "sched/pool_state.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/managed/group_state.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/managed/par_for.hpp>

#include <exception>
#include <memory>
#include <vector>

namespace tine::detail {

namespace hot = sched::hot;

/// Tasks in the order in which they came.
class task_list {
 public:
  bool is_empty() const noexcept { return newest_ == nullptr; }
  group_task* oldest() const noexcept { return oldest_; }
  group_task* newest() const noexcept { return newest_; }
  static group_task* after(const group_task& t) noexcept { return t.newer_; }

  void put(group_task& t) noexcept {
    t.older_ = newest_;
    t.newer_ = nullptr;
    (newest_ == nullptr ? oldest_ : newest_->newer_) = &t;
    newest_ = &t;
  }
  void remove(group_task& t) noexcept {
    (t.older_ == nullptr ? oldest_ : t.older_->newer_) = t.newer_;
    (t.newer_ == nullptr ? newest_ : t.newer_->older_) = t.older_;
  }

 private:
  group_task* oldest_ = nullptr;
  group_task* newest_ = nullptr;
};

class group_state {
 public:
  explicit group_state(sched::pool_state& pool) noexcept
      : pool_{pool},
        // relaxed: own word
        root_{sched::works_for(pool) ? hot::self()->serves.load(base::relaxed) : sched::submitted_roots},
        inside_{hot::self() != nullptr ? sched::current_scope() : nullptr},
        is_kept_{hot::self() != nullptr && (sched::is_instrumented() || sched::is_kept_sequential())} {}

  void add(group_task& t);
  void wait();
  /// Called when an exception leaves the scope.
  void abandon() noexcept;
  bool is_left_by_exception() const noexcept { return std::uncaught_exceptions() > uncaught_; }
  /// Returns true if a task was added after the last `wait`, even if it has ended since: so we find a forgotten `wait`
  /// in each run.
  bool is_used() noexcept {
    const std::lock_guard guard{lock_};
    return added_ != 0;
  }
  /// Runs a task that a worker has taken from an inbox.
  void run_taken(group_task& t) noexcept;

 private:
  using lock = std::unique_lock<base::mutex>;

  void require_taker();
  void offer_oldest() noexcept;
  group_task* take_newest() noexcept;
  bool reclaim(group_task& t) noexcept;
  void begin(group_task& t) noexcept;
  void call(group_task& t) noexcept;
  void run_here(group_task& t) noexcept;
  void run_pending_here() noexcept;
  void run_as_loop();
  void note_error(const group_task& t, std::exception_ptr e) noexcept;
  task_list take_later_than(std::uint64_t number) noexcept;
  static void destroy(task_list dropped) noexcept;
  void wait_for_running() noexcept;
  void end(group_task& t) noexcept;

  sched::pool_state& pool_;
  const sched::root_number root_;     // the root that made the group
  const sched::scope* const inside_;  // the innermost scope of the strand that made the group
  // No worker may take a task: the group was made inside tine::sequential, or by an instrumented strand. Analyses and
  // schedules don't follow tasks that workers take.
  const bool is_kept_;
  const int uncaught_ = std::uncaught_exceptions();
  base::mutex lock_;
  task_list pending_;
  task_list begun_;
  std::size_t running_ = 0;   // tasks that have started, and one that a worker has taken from an inbox
  std::uint64_t added_ = 0;   // since the last `wait`
  std::uint64_t failed_ = 0;  // with error_: the number of the task that threw it
  std::exception_ptr error_;
  bool raised_ = false;  // an alert is raised for tasks that are to stop
  sched::external_wait* waiting_ = nullptr;
};

// --- pending tasks; call these under the lock ------------------------------------------------------------------------

/// Puts the oldest pending task into an inbox, unless it is in one.
void group_state::offer_oldest() noexcept {
  group_task* const t = pending_.oldest();
  if (t == nullptr || t->offered_at_ != nullptr || is_kept_) return;
  sched::worker* const here = hot::self();
  const bool is_inside = sched::works_for(pool_);
  sched::worker& near = is_inside ? *here : pool_.member(0);
  t->offered_at_ = &near;
  // relaxed: own word
  t->entry_.what = sched::numbered(t, is_inside ? here->serves.load(base::relaxed) : sched::submitted_roots);
  sched::submit(t->entry_, nullptr, near);
}

/// Returns false if a worker has taken `t` from its inbox.
bool group_state::reclaim(group_task& t) noexcept {
  if (t.offered_at_ == nullptr) return true;
  if (!t.offered_at_->box.take(t.entry_)) return false;
  pool_.wanted.unclaim();
  pool_.wake_if_deserted(*t.offered_at_);
  t.offered_at_ = nullptr;
  return true;
}

group_task* group_state::take_newest() noexcept {
  group_task* const t = pending_.newest();
  if (t == nullptr || !reclaim(*t)) return nullptr;  // the offered task is the oldest one, so then it is the only one
  pending_.remove(*t);
  begin(*t);
  return t;
}

void group_state::begin(group_task& t) noexcept {
  begun_.put(t);
  ++running_;
}

/// Takes the pending tasks that were added after the task of that number, and stops those that run.
task_list group_state::take_later_than(std::uint64_t number) noexcept {
  task_list dropped;
  for (group_task* t = pending_.newest(); t != nullptr;) {
    group_task& later = *t;
    t = later.older_;
    if (later.number_ <= number || !reclaim(later)) continue;
    pending_.remove(later);
    dropped.put(later);
  }
  for (group_task* t = begun_.oldest(); t != nullptr; t = task_list::after(*t)) {
    if (t->number_ <= number) continue;
    t->stopping.store(true, base::relaxed);  // relaxed: the alert publishes it
    if (!raised_) sched::raise_alert();
    raised_ = true;
  }
  return dropped;
}

/// Don't call it under the lock, because it runs code of the program.
void group_state::destroy(task_list dropped) noexcept {
  while (group_task* const t = dropped.oldest()) {
    dropped.remove(*t);
    delete t;
  }
}

// --- tasks that run --------------------------------------------------------------------------------------------------

void group_state::note_error(const group_task& t, std::exception_ptr e) noexcept {
  lock guard{lock_};
  if (error_ != nullptr && failed_ < t.number_) return;
  std::swap(error_, e);
  failed_ = t.number_;
  const task_list dropped = take_later_than(failed_);
  guard.unlock();
  destroy(dropped);
}

void group_state::call(group_task& t) noexcept {
  try {
    sched::stop_before_begin();
    t.call();
  } catch (...) {
    note_error(t, caught_exception());
  }
}

/// The task is no longer part of the group; the group may be gone afterwards.
void group_state::end(group_task& t) noexcept {
  t.forget();  // `wait` returns after all captured values are gone
  lock guard{lock_};
  begun_.remove(t);
  if (--running_ != 0 || !pending_.is_empty()) return;
  sched::external_wait* const waiting = std::exchange(waiting_, nullptr);
  guard.unlock();
  if (waiting != nullptr) waiting->end();
}

void group_state::run_taken(group_task& t) noexcept {
  {
    const lock guard{lock_};
    pending_.remove(t);
    begin(t);
    if (error_ != nullptr && failed_ < t.number_) t.stopping.store(true, base::relaxed);  // relaxed: own task
    offer_oldest();
  }
  if (!t.stopping.load(base::relaxed)) call(t);  // relaxed: a hint
  end(t);
}

/// Runs a task on the strand that waits.
void group_state::run_here(group_task& t) noexcept {
  const sched::scope* const outer = sched::current_scope();
  const sched::scope inside{outer, hot::top(), &t.stopping};
  sched::enter_scope(&inside);
  call(t);
  sched::enter_scope(outer);
  end(t);
  delete &t;
}

void group_state::run_pending_here() noexcept {
  for (;;) {
    lock guard{lock_};
    group_task* const t = take_newest();
    guard.unlock();
    if (t == nullptr) return;
    run_here(*t);
  }
}

/// Runs the pending tasks as iterations of a loop, so that analyses and schedules see them; those that these add make
/// the next loop.
void group_state::run_as_loop() {
  std::vector<std::unique_ptr<group_task>> batch;
  for (;;) {
    batch.clear();
    {
      const lock guard{lock_};
      while (group_task* const t = pending_.oldest()) {
        if (!reclaim(*t)) break;
        pending_.remove(*t);
        batch.emplace_back(t);
      }
    }
    if (batch.empty()) return;
    try {
      par_for(batch, [](const std::unique_ptr<group_task>& t) { t->call(); });
    } catch (...) {
      lock guard{lock_};
      if (error_ == nullptr) error_ = caught_exception();
      const task_list dropped = take_later_than(0);
      guard.unlock();
      return destroy(dropped);
    }
  }
}

void group_state::wait_for_running() noexcept {
  sched::external_wait until_end;
  {
    const lock guard{lock_};
    if (running_ == 0 && pending_.is_empty()) return;
    if (waiting_ != nullptr) base::fatal("two threads wait for one tine::task_group at once.");
    waiting_ = &until_end;
  }
  until_end.wait();
}

// --- calls -----------------------------------------------------------------------------------------------------------

/// Callers of run take only work of their own roots. If several roots use the group, a root may end before a task that
/// it has added starts. Then only the pool's own threads take that task, so there must be one.
void group_state::require_taker() {
  // relaxed: own word
  if (!sched::works_for(pool_) || hot::self()->serves.load(base::relaxed) != root_) pool_.require_resident();
}

void group_state::add(group_task& t) {
  std::unique_ptr<group_task> mine{&t};
  if (hot::self() != nullptr && hot::is_past_limit(nullptr) && sched::must_stop()) sched::throw_stopped();
  require_taker();
  const lock guard{lock_};
  t.of_ = this;
  t.number_ = ++added_;
  t.inherit(inside_);
  if (error_ != nullptr) return;  // a task before it has thrown
  pending_.put(*mine.release());
  offer_oldest();
}

void group_state::wait() {
  if (!sched::works_for(pool_)) {
    auto inside = [this] { wait(); };
    sched::root_task<decltype(inside)> root{inside};
    sched::run_root(pool_, root);
    root.take();
    return;
  }
  require_taker();
  if (sched::is_instrumented()) run_as_loop();
  run_pending_here();
  wait_for_running();
  // no task is left, so no other thread uses the group
  if (std::exchange(raised_, false)) sched::end_alert();
  added_ = 0;
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

void group_state::abandon() noexcept {
  lock guard{lock_};
  failed_ = 0;
  if (error_ == nullptr) error_ = std::make_exception_ptr(stopped{});
  const task_list dropped = take_later_than(0);
  guard.unlock();
  destroy(dropped);
  wait_for_running();
  if (raised_) sched::end_alert();
}

bool group_task::run(sched::task& t) noexcept {
  auto& self = static_cast<group_task&>(t);
  self.of_->run_taken(self);
  return false;
}

constexpr sched::descriptor group_task::kind{&group_task::run, 0};

group_state& open_group() { return *new group_state{sched::pool_of_this_thread()}; }

void close_group(group_state& g) noexcept {
  if (g.is_used()) {
    if (!g.is_left_by_exception()) {
      base::fatal("a tine::task_group was destroyed after run() without wait(): call wait() before its scope ends.");
    }
    g.abandon();
  }
  delete &g;
}

void run_in_group(group_state& g, group_task& t) { g.add(t); }

void wait_for_group(group_state& g) { g.wait(); }

}  // namespace tine::detail
