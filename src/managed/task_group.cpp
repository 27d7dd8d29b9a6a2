// Task groups. At most one task of a group is in an inbox: the oldest pending one. The worker that takes it from there
// puts the next one there before it runs its own, so idle workers wake one after the other. The thread that waits takes
// the newest one, and runs it on its own stack. So a group as a recursion needs no more memory than the recursion
// itself, and no strand waits below foreign work.
//
// Any thread may add tasks, and the lock guards all members. A thread that ends a task or leaves the group touches
// nothing of it after it has released the lock.
#include "base/fp_environment.hpp"
#include "sched/external_wait.hpp"
#include "sched/group_follower.hpp"
#include "sched/hidden_mutex.hpp"
#include "sched/pool_state.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/managed/group_state.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/lock_listener.hpp>
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
  group_state(sched::pool_state& pool, const stop_flag* flag, bool is_isolated, group_thread thread) noexcept
      : pool_{pool},
        thread_{thread},
        root_{root_here(thread == group_thread::if_needed ? sched::submitted_roots : sched::first_root)},
        flag_{flag},
        is_isolated_{is_isolated},
        inside_{flag != nullptr ? &flagged_ : scope_here()},
        is_sequential_{hot::self() != nullptr && sched::is_kept_sequential()},
        is_kept_{is_sequential_ || (hot::self() != nullptr && sched::is_instrumented())} {}

  /// `where`: the place of the call, for the race detector.
  void add(group_task& t, sched::site where);
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
  bool is_empty() noexcept {
    const std::lock_guard guard{lock_};
    return has_ended();
  }
  void hold() noexcept {
    const std::lock_guard guard{lock_};
    ++running_;
  }
  void release() noexcept {
    lock guard{lock_};
    leave(guard);
  }
  /// Runs a task that a worker has taken from an inbox.
  void run_taken(group_task& t) noexcept;

 private:
  using lock = std::unique_lock<sched::hidden_mutex>;

  static const sched::scope* scope_here() noexcept;
  sched::root_number root_here(sched::root_number outside) const noexcept;
  void require_taker();
  bool has_ended() const noexcept { return running_ == 0 && pending_.is_empty(); }
  void offer_oldest() noexcept;
  void end_wait_for(sched::root_number adder) noexcept;
  group_task* take_newest() noexcept;
  bool reclaim(group_task& t) noexcept;
  void begin(group_task& t) noexcept;
  void call(group_task& t) noexcept;
  void run_here(group_task& t) noexcept;
  void run_alone(group_task& t) noexcept;
  void run_until_ended() noexcept;
  bool run_at_once(group_task& t, sched::site where);
  void run_followed(group_task& t) noexcept;
  bool is_all_followed() noexcept;
  void run_as_loop();
  void note_error(const group_task& t, std::exception_ptr e) noexcept;
  task_list take_later_than(std::uint64_t number) noexcept;
  static void destroy(task_list dropped) noexcept;
  void sleep(lock& guard) noexcept;
  void end_wait();
  void end(group_task& t) noexcept;
  void leave(lock& guard) noexcept;

  sched::pool_state& pool_;
  const group_thread thread_;
  // The root that made the group. Groups made outside of the pool belong to submitted roots, or, without a thread for
  // them, to the caller in the first slot: it takes their tasks, and what these fork, while it waits.
  const sched::root_number root_;
  const stop_flag* const flag_;  // null: none
  const bool is_isolated_;       // scopes around the scope of the flag don't stop it
  sched::scope flagged_;         // the scope of the flag, inside of that in which the first task was added
  // flagged_, or without a flag the innermost scope of the strand that made the group
  const sched::scope* const inside_;
  const bool is_sequential_;  // the group was made inside tine::sequential
  // No worker may take a task: the group was made there, or by an instrumented strand. Analyses and schedules don't
  // follow tasks that workers take.
  const bool is_kept_;
  const int uncaught_ = std::uncaught_exceptions();
  sched::hidden_mutex lock_;
  task_list pending_;
  task_list begun_;
  std::size_t running_ = 0;        // tasks that have started, one that a worker has taken from an inbox, and holds
  std::uint64_t added_ = 0;        // since the last `wait`
  std::uint64_t failed_ = 0;       // with error_: the number of the task that threw it
  std::uint32_t followed_as_ = 0;  // the number by which the race detector knows the group; 0: it doesn't
  std::exception_ptr error_;
  unsigned fp_flags_ = 0;  // floating-point flags that tasks have raised
  bool raised_ = false;    // an alert is raised for tasks that are to stop
  sched::external_wait* waiting_ = nullptr;
  sched::root_number waits_as_ = 0;  // with waiting_: the root of the strand that waits
};

const sched::scope* group_state::scope_here() noexcept {
  return hot::self() != nullptr ? sched::current_scope() : nullptr;
}

/// Returns the number of the root that the calling thread works for, or `outside` if it isn't in the pool.
sched::root_number group_state::root_here(sched::root_number outside) const noexcept {
  return sched::works_for(pool_) ? hot::self()->serves.load(base::relaxed) : outside;  // relaxed: own word
}

// --- pending tasks; call these under the lock ------------------------------------------------------------------------

/// Puts the oldest pending task into an inbox, unless it is in one.
void group_state::offer_oldest() noexcept {
  group_task* const t = pending_.oldest();
  if (t == nullptr || t->offered_at_ != nullptr || is_kept_) return;
  sched::worker& caller = pool_.member(root_ == sched::submitted_roots ? 0 : root_ - 1U);
  sched::worker& near = sched::works_for(pool_) ? *hot::self() : caller;
  t->offered_at_ = &near;
  t->entry_.what = sched::numbered(t, root_here(thread_ == group_thread::if_needed ? sched::submitted_roots : root_));
  sched::submit(t->entry_, nullptr, near);
}

/// A root has added a task. If the strand that waits belongs to another root, its worker may refuse the task, and there
/// may be no other worker. So the strand looks into the group itself.
void group_state::end_wait_for(sched::root_number adder) noexcept {
  if (waiting_ == nullptr || thread_ == group_thread::if_needed || adder == waits_as_) return;
  std::exchange(waiting_, nullptr)->end();
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
  fp_flags_ |= base::fp_flags();
  leave(guard);
}

/// Call it under the lock: a task or a hold ends. The group may be gone afterwards.
void group_state::leave(lock& guard) noexcept {
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
  {
    const base::fp_under words{t.fp_words};
    call(t);
  }
  sched::enter_scope(outer);
  end(t);
  delete &t;
}

/// Runs a task in the scope of the caller: no task runs beside it whose exception might stop it.
void group_state::run_alone(group_task& t) noexcept {
  call(t);
  end(t);
  delete &t;
}

void group_state::run_until_ended() noexcept {
  for (;;) {
    lock guard{lock_};
    if (group_task* const t = take_newest()) {
      guard.unlock();
      run_here(*t);
    } else if (has_ended()) {
      return;
    } else {
      sleep(guard);
    }
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
      par_for(batch, [](const std::unique_ptr<group_task>& t) {
        const base::fp_under words{t->fp_words};
        t->call();
      });
    } catch (...) {
      lock guard{lock_};
      if (error_ == nullptr) error_ = caught_exception();
      const task_list dropped = take_later_than(0);
      guard.unlock();
      return destroy(dropped);
    }
  }
}

/// Call it under the lock, which it releases: waits until all tasks have ended, or until there is one to take.
void group_state::sleep(lock& guard) noexcept {
  if (waiting_ != nullptr) base::fatal("two threads wait for one tine::task_group at once.");
  sched::external_wait until_end;
  waiting_ = &until_end;
  waits_as_ = root_here(root_);
  guard.unlock();
  until_end.wait();
}

// --- calls -----------------------------------------------------------------------------------------------------------

/// Callers of run take only work of their own roots. If several roots use the group, a root may end before a task that
/// it has added starts. Then only the pool's own threads take that task, so there must be one. Without a thread for the
/// group, it is the strand that waits (end_wait_for).
void group_state::require_taker() {
  if (thread_ == group_thread::if_needed && root_here(0) != root_) pool_.require_resident();
}

/// Runs a task for the race detector, which follows strands in the serial order only. Returns false if it doesn't
/// follow the caller.
bool group_state::run_at_once(group_task& t, sched::site where) {
  const sched::group_follower* const by = sched::registered_group_follower;
  if (by == nullptr || is_sequential_) return false;
  t.of_ = this;
  constexpr auto run = [](void* task) noexcept {
    group_task& self = *static_cast<group_task*>(task);
    self.of_->run_followed(self);
  };
  return by->add(followed_as_, where, run, &t);
}

void group_state::run_followed(group_task& t) noexcept {
  lock guard{lock_};
  t.number_ = ++added_;
  const bool is_dropped = error_ != nullptr;  // a task before it has thrown
  if (!is_dropped) begin(t);
  guard.unlock();
  if (is_dropped) {
    delete &t;
  } else if (sched::works_for(pool_)) {
    run_alone(t);
  } else {
    auto inside = [&] { run_alone(t); };
    sched::root_task<decltype(inside)> root{inside};
    sched::run_root(pool_, root);
  }
}

bool group_state::is_all_followed() noexcept {
  if (followed_as_ == 0) return false;
  const lock guard{lock_};
  return has_ended();
}

void group_state::add(group_task& t, sched::site where) {
  std::unique_ptr<group_task> mine{&t};
  if (hot::self() != nullptr && hot::is_past_limit(nullptr) && sched::must_stop()) sched::throw_stopped();
  if (run_at_once(t, where)) {
    mine.release();  // NOLINT(bugprone-unused-return-value): the task runs and deletes itself
    return;
  }
  require_taker();
  const lock guard{lock_};
  t.of_ = this;
  // no task is left from before, so no thread reads the scope
  if (flag_ != nullptr && added_ == 0) {
    flagged_ = stop_flag::scope_of(flag_, is_isolated_ ? nullptr : scope_here(), nullptr);
  }
  t.number_ = ++added_;
  t.inherit(inside_);
  t.set_fp_words(base::fp_control());
  if (error_ != nullptr) return;  // a task before it has thrown
  pending_.put(*mine.release());
  offer_oldest();
  end_wait_for(root_here(root_));
}

void group_state::wait() {
  if (followed_as_ != 0) sched::registered_group_follower->before_wait();
  if (is_all_followed()) return end_wait();
  if (!sched::works_for(pool_)) {
    auto inside = [this] { wait(); };
    sched::root_task<decltype(inside)> root{inside};
    sched::run_root(pool_, root);
    root.take();
    return;
  }
  require_taker();
  if (sched::is_instrumented()) run_as_loop();
  run_until_ended();
  end_wait();
}

/// The tasks have ended. Another thread may already have added the next one, which belongs to the next `wait`.
void group_state::end_wait() {
  if (followed_as_ != 0) sched::registered_group_follower->after_wait(followed_as_);
  lock guard{lock_};
  if (std::exchange(raised_, false)) sched::end_alert();
  if (has_ended()) added_ = 0;
  const unsigned flags = std::exchange(fp_flags_, 0);
  const std::exception_ptr error = std::exchange(error_, nullptr);
  guard.unlock();
  base::raise_fp(flags);
  if (error != nullptr) std::rethrow_exception(error);
}

void group_state::abandon() noexcept {
  lock guard{lock_};
  failed_ = 0;
  if (error_ == nullptr) error_ = std::make_exception_ptr(stopped{});
  const task_list dropped = take_later_than(0);
  guard.unlock();
  destroy(dropped);
  if (followed_as_ != 0) sched::registered_group_follower->before_wait();
  run_until_ended();
  if (followed_as_ != 0) sched::registered_group_follower->after_wait(followed_as_);
  if (raised_) sched::end_alert();
}

bool group_task::run(sched::task& t) noexcept {
  auto& self = static_cast<group_task&>(t);
  self.of_->run_taken(self);
  return false;
}

constexpr sched::descriptor group_task::kind{&group_task::run, 0};

group_state& open_group() {
  return *new group_state{sched::pool_of_this_thread(), nullptr, false, group_thread::if_needed};
}

group_state& open_group(const stop_flag& flag, bool is_isolated, group_thread thread) {
  return *new group_state{sched::pool_of_this_thread(), &flag, is_isolated, thread};
}

void close_group(group_state& g) noexcept {
  if (g.is_used()) {
    if (!g.is_left_by_exception()) {
      base::fatal("a tine::task_group was destroyed after run() without wait(): call wait() before its scope ends.");
    }
    g.abandon();
  }
  delete &g;
}

void run_in_group(group_state& g, group_task& t) { g.add(t, base::to_word(__builtin_return_address(0))); }

void hold_group(group_state& g) noexcept { g.hold(); }
void release_group(group_state& g) noexcept { g.release(); }

bool is_group_empty(group_state& g) noexcept { return g.is_empty(); }

void wait_for_group(group_state& g) {
  const followed_wait noted{&g, lock_kind::task_group, __builtin_return_address(0)};
  g.wait();
}

}  // namespace tine::detail
