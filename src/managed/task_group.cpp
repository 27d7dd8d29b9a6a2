// Task groups. A strand of the group's pool queues its tasks in the deque of its worker, beside promoted records, so
// thieves take the oldest one. The thread that waits takes the newest ones back, and runs them on its own stack. So a
// group as a recursion needs no more memory than the recursion itself, and no strand waits below foreign work.
//
// Other tasks wait in the group's list: those of threads outside of the pool, of strands that must keep their thread,
// and those that no worker may take. At most one of them is in an inbox, the oldest. The worker that takes it from
// there puts the next one there before it runs its own, so idle workers wake one after the other.
//
// Any thread may add tasks. A thread that has ended a task or leaves the group touches nothing of it afterwards.
#include "base/fp_environment.hpp"
#include "managed/open_tasks.hpp"
#include "sched/external_wait.hpp"
#include "sched/group_follower.hpp"
#include "sched/hidden_mutex.hpp"
#include "sched/pool_state.hpp"
#include "sched/scheduler_time.hpp"
#include "sched/skipped_stretch.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/managed/group_state.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/instrumentation.hpp>
#include <tine/detail/sched/lock_listener.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/managed/par_for.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
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
        flag_{flag},
        inside_{flag != nullptr ? &flagged_ : scope_here()},
        root_{root_here(thread == group_thread::if_needed ? sched::submitted_roots : sched::first_root)},
        thread_{thread},
        is_isolated_{is_isolated},
        is_sequential_{hot::self() != nullptr && sched::is_kept_sequential()},
        is_kept_{is_sequential_ || (hot::self() != nullptr && sched::is_instrumented())} {}

  /// Called for a group with a flag: the stretch that the strand is in, if it is in one, ends after the group.
  void keep_stretch() noexcept {
    if (hot::self() != nullptr) flagged_.skipped = sched::stretch_here();
  }

  /// `where`: the place of the call, for the race detector.
  void add(group_task& t, sched::site where);
  void wait();
  /// Called when an exception leaves the scope.
  void abandon() noexcept;
  bool is_left_by_exception() const noexcept { return std::uncaught_exceptions() > uncaught_; }
  /// Returns true if a task was added after the last `wait`, even if it has ended since: so we find a forgotten `wait`
  /// in each run.
  // relaxed: the caller ends the group
  bool is_used() const noexcept { return open_.has_begun() && last_number_.load(base::relaxed) != 0; }
  void hold() noexcept {
    open_.add([this] { begin_round(); });
  }
  void release() noexcept { end(1); }
  bool is_empty() const noexcept { return open_.is_empty(); }
  /// Runs a task that a worker has taken from a deque or an inbox.
  void run_taken(group_task& t) noexcept;

 private:
  using lock = std::unique_lock<sched::hidden_mutex>;

  static const sched::scope* scope_here() noexcept;
  sched::worker* worker_here() const noexcept;
  sched::root_number root_here(sched::root_number outside) const noexcept;
  bool may_queue(const sched::worker* here) const noexcept;
  void require_taker();
  void accept_all() noexcept;
  void count(group_task& t) noexcept;
  void begin_round() noexcept;
  void queue(group_task& t);
  void list(group_task& t) noexcept;
  void offer_oldest() noexcept;
  group_task* take_newest_listed() noexcept;
  group_task* take_newest(std::uint64_t ended) noexcept;
  static bool is_task_of(const sched::task& t, const void* group) noexcept;
  group_task* take_queued() noexcept;
  bool reclaim(group_task& t) noexcept;
  bool is_dropped(const group_task& t) const noexcept;
  sched::scope scope_of_flag() const noexcept;
  sched::scope scope_of(const group_task& t) const noexcept;
  void call(group_task& t) noexcept;
  void run_alone(group_task& t) noexcept;
  void run_pending_here() noexcept;
  bool run_at_once(group_task& t, sched::site where);
  void run_followed(group_task& t) noexcept;
  bool is_all_followed() const noexcept { return followed_as_ != 0 && open_.is_empty(); }
  void take_batch(std::vector<std::unique_ptr<group_task>>& batch);
  void run_as_loop();
  void fail(std::uint64_t number, std::exception_ptr e) noexcept;
  task_list take_later_than(std::uint64_t number) noexcept;
  void drop(task_list dropped) noexcept;
  bool has_untaken() const noexcept;
  void run_until_ended() noexcept;
  void end_wait();
  void end_failed_round();
  void end(std::uint64_t tasks) noexcept;

  static constexpr std::uint64_t none = ~std::uint64_t{0};

  sched::pool_state& pool_;
  const stop_flag* const flag_;  // null: none
  sched::scope flagged_;         // the scope of the flag, inside of that in which the first task was added
  // flagged_, or without a flag the innermost scope of the strand that made the group
  const sched::scope* const inside_;
  // The root that made the group. Groups made outside of the pool belong to submitted roots, or, without a thread for
  // them, to the caller in the first slot: it takes their tasks, and what these fork, while it waits.
  const sched::root_number root_;
  const group_thread thread_;
  const bool is_isolated_;    // scopes around the scope of the flag don't stop it
  const bool is_sequential_;  // the group was made inside tine::sequential
  // No worker may take a task: the group was made there, or by an instrumented strand. Analyses and schedules don't
  // follow tasks that workers take.
  const bool is_kept_;
  base::atomic<bool> has_list_{false};  // tasks are, or were, in the list
  bool raised_ = false;                 // under the lock: an alert is raised for tasks that are to stop
  const int uncaught_ = std::uncaught_exceptions();
  std::uint32_t followed_as_ = 0;       // the number by which the race detector knows the group; 0: it doesn't
  base::atomic<unsigned> fp_flags_{0};  // floating-point flags that tasks have raised elsewhere
  open_tasks<sched::external_wait> open_;
  base::atomic<std::uint64_t> last_number_{0};      // of the tasks of this round
  base::atomic<std::uint64_t> first_failed_{none};  // with error_: the number of the task that threw it
  sched::hidden_mutex lock_;                        // guards the members below
  task_list listed_;
  std::exception_ptr error_;
};

static_assert(sizeof(group_state) <= sizeof(group_place) && alignof(group_state) <= alignof(group_place));

const sched::scope* group_state::scope_here() noexcept {
  return hot::self() != nullptr ? sched::current_scope() : nullptr;
}

/// Returns the worker of the group's pool that this thread is, or null.
sched::worker* group_state::worker_here() const noexcept {
  sched::worker* const w = hot::self();
  return w != nullptr && (&w->pool == &pool_ || sched::works_for(pool_)) ? w : nullptr;
}

/// Returns the number of the root that the calling thread works for, or `outside` if it isn't in the pool.
sched::root_number group_state::root_here(sched::root_number outside) const noexcept {
  const sched::worker* const here = worker_here();
  return here != nullptr ? here->serves.load(base::relaxed) : outside;  // relaxed: own word
}

// --- tasks that wait in the group's list; call these under the lock --------------------------------------------------

/// Puts the oldest listed task into an inbox, unless it is in one.
void group_state::offer_oldest() noexcept {
  group_task* const t = listed_.oldest();
  if (t == nullptr || t->offered_at_ != nullptr || is_kept_) return;
  sched::worker& caller = pool_.member(root_ == sched::submitted_roots ? 0 : root_ - 1U);
  sched::worker* const here = worker_here();
  sched::worker& near = here != nullptr ? *here : caller;
  t->offered_at_ = &near;
  t->entry_.what = sched::numbered(t, root_here(thread_ == group_thread::if_needed ? sched::submitted_roots : root_));
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

/// Takes the listed tasks that were added after the task of that number.
task_list group_state::take_later_than(std::uint64_t number) noexcept {
  task_list dropped;
  for (group_task* t = listed_.newest(); t != nullptr;) {
    group_task& later = *t;
    t = later.older_;
    if (later.number_ <= number || !reclaim(later)) continue;
    listed_.remove(later);
    dropped.put(later);
  }
  return dropped;
}

// --- tasks come and go; without the lock -----------------------------------------------------------------------------

/// Returns the scope of the flag for tasks from now on. Only the stretch in which the group was made ends after all of
/// its tasks.
sched::scope group_state::scope_of_flag() const noexcept {
  sched::scope s = stop_flag::scope_of(flag_, is_isolated_ ? nullptr : sched::outside_stretch(scope_here()), nullptr);
  s.skipped = flagged_.skipped;
  return s;
}

/// The first task after a wait: no task is left from before, so no thread reads the scope.
void group_state::begin_round() noexcept {
  last_number_.store(0, base::relaxed);  // relaxed: open_tasks publishes it
  if (flag_ != nullptr) flagged_ = scope_of_flag();
}

/// From now on the task is in the group.
void group_state::count(group_task& t) noexcept {
  open_.add([this] { begin_round(); });
  t.of_ = this;
  t.number_ = last_number_.fetch_add(1, base::relaxed) + 1;  // relaxed: it orders nothing
  t.inherit(inside_);
  t.set_fp_words(base::fp_control());
}

/// Queues the task in the deque of this worker. A strand that must keep its thread may not: at a join it would find the
/// task above the record that it joins, and then it would have to suspend.
void group_state::queue(group_task& t) {
  const sched::scheduler_time here;
  sched::worker& w = *hot::self();
  if (w.tasks.full() && !w.tasks.make_space()) throw std::bad_alloc{};
  count(t);
  w.queue(t);
}

void group_state::list(group_task& t) noexcept {
  count(t);
  has_list_.store(true, base::relaxed);  // relaxed: a thread that waits meanwhile looks again under the lock
  lock guard{lock_};
  listed_.put(t);
  offer_oldest();
  // The worker of the strand that waits may refuse the task, and there may be no other worker. The task has not ended
  // before the lock is released, because a worker that has taken it needs the lock first.
  sched::external_wait* const waiting = thread_ == group_thread::never ? open_.interrupt() : nullptr;
  guard.unlock();
  if (waiting != nullptr) waiting->end();
}

bool group_state::is_task_of(const sched::task& t, const void* group) noexcept {
  return t.what == &group_task::kind && static_cast<const group_task&>(t).of_ == group;
}

group_task* group_state::take_queued() noexcept {
  const sched::scheduler_time here;
  return static_cast<group_task*>(hot::self()->reclaim_newest(is_task_of, this));
}

group_task* group_state::take_newest_listed() noexcept {
  const lock guard{lock_};
  group_task* const t = listed_.newest();
  if (t == nullptr || !reclaim(*t)) return nullptr;  // the offered task is the oldest one, so then it is the only one
  listed_.remove(*t);
  return t;
}

/// Takes a task for the strand that waits, unless only `ended` tasks that it has ended itself are left.
group_task* group_state::take_newest(std::uint64_t ended) noexcept {
  if (open_.is_empty(ended)) return nullptr;
  if (group_task* const t = is_kept_ ? nullptr : take_queued()) return t;
  return has_list_.load(base::relaxed) ? take_newest_listed() : nullptr;  // relaxed: as in `list`
}

/// Tasks are no longer part of the group; the group may be gone afterwards.
void group_state::end(std::uint64_t tasks) noexcept {
  if (sched::external_wait* const waiting = open_.end(tasks)) waiting->end();
}

/// Don't call it under the lock, because it runs code of the program.
void group_state::drop(task_list dropped) noexcept {
  std::uint64_t tasks = 0;
  for (; group_task* const t = dropped.oldest(); ++tasks) {
    dropped.remove(*t);
    delete t;
  }
  if (tasks != 0) end(tasks);
}

// --- tasks that run --------------------------------------------------------------------------------------------------

/// The task of that number has thrown: later ones stop, or don't start. 0: all of them, and an exception that is known
/// already wins.
void group_state::fail(std::uint64_t number, std::exception_ptr e) noexcept {
  lock guard{lock_};
  if (first_failed_.load(base::relaxed) < number) return;  // relaxed, here and below: it changes under the lock
  if (number != 0 || error_ == nullptr) std::swap(error_, e);
  first_failed_.store(number, base::relaxed);
  // a strand that doesn't see the number when it starts a task gets the alert's request afterwards
  if (!std::exchange(raised_, true)) sched::raise_alert();
  const task_list dropped = take_later_than(number);
  guard.unlock();
  drop(dropped);
}

bool group_state::is_dropped(const group_task& t) const noexcept {
  return first_failed_.load(base::relaxed) < t.number_;  // relaxed: see `fail`
}

/// Returns the scope of a task, inside of that of the running strand.
sched::scope group_state::scope_of(const group_task& t) const noexcept {
  static constexpr base::atomic<bool> never{false};
  sched::scope s{sched::current_scope(), hot::top(), &never};
  s.first_failed = &first_failed_;
  s.number = t.number_;
  return s;
}

void group_state::call(group_task& t) noexcept {
  if (is_dropped(t)) return;
  try {
    sched::stop_before_begin();
    t.call();
  } catch (...) {
    fail(t.number_, caught_exception());
  }
}

void group_state::run_taken(group_task& t) noexcept {
  if (t.offered_at_ != nullptr) {  // it was in an inbox
    const lock guard{lock_};
    listed_.remove(t);
    offer_oldest();
  }
  const sched::scope* const outer = sched::current_scope();
  const sched::scope inside = scope_of(t);
  sched::enter_scope(&inside);
  call(t);
  sched::enter_scope(outer);
  t.forget();  // `wait` returns after all captured values are gone
  // relaxed: `end` publishes it
  if (const unsigned raised = base::fp_flags()) fp_flags_.fetch_or(raised, base::relaxed);
  sched::leave_stretch();
  end(1);
}

/// Runs a task in the scope of the caller: no task runs beside it whose exception might stop it.
void group_state::run_alone(group_task& t) noexcept {
  call(t);
  delete &t;
  end(1);
}

/// Runs the tasks that no worker has taken on the strand that waits.
void group_state::run_pending_here() noexcept {
  group_task* t = take_newest(0);
  if (t == nullptr) return;
  const sched::scope* const outer = sched::current_scope();
  sched::scope inside = scope_of(*t);
  sched::enter_scope(&inside);
  std::uint64_t ended = 0;
  do {
    inside.number = t->number_;
    {
      const base::fp_under words{t->fp_words};
      call(*t);
    }
    delete t;
    t = take_newest(++ended);
  } while (t != nullptr);
  sched::enter_scope(outer);
  end(ended);
}

/// Takes all tasks that no worker has taken, the oldest first.
void group_state::take_batch(std::vector<std::unique_ptr<group_task>>& batch) {
  batch.clear();
  while (group_task* const t = take_newest(batch.size())) batch.emplace_back(t);
  std::sort(batch.begin(), batch.end(), [](const auto& a, const auto& b) { return a->number_ < b->number_; });
}

/// Runs the pending tasks as iterations of a loop, so that analyses and schedules see them; those that these add make
/// the next loop.
void group_state::run_as_loop() {
  std::vector<std::unique_ptr<group_task>> batch;
  for (;;) {
    take_batch(batch);
    if (batch.empty()) return;
    std::exception_ptr thrown;
    try {
      par_for(batch, [](const std::unique_ptr<group_task>& t) {
        const base::fp_under words{t->fp_words};
        t->call();
      });
    } catch (...) {
      thrown = caught_exception();
    }
    const std::uint64_t ended = batch.size();
    batch.clear();
    end(ended);
    if (thrown != nullptr) return fail(0, thrown);
  }
}

/// Call it under the lock. Returns true if the strand that waits should try to take a listed task.
bool group_state::has_untaken() const noexcept {
  const group_task* const t = listed_.newest();
  return t != nullptr && (t->offered_at_ == nullptr || thread_ == group_thread::never);
}

void group_state::run_until_ended() noexcept {
  while (!open_.is_empty()) {
    if (worker_here() != nullptr) run_pending_here();
    if (open_.is_empty()) return;
    sched::external_wait until_end;
    {
      const lock guard{lock_};
      if (open_.has_waiter()) base::fatal("two threads wait for one tine::task_group at once.");
      if (worker_here() != nullptr && has_untaken()) continue;
      if (!open_.wait(until_end)) return;
    }
    until_end.wait();
  }
}

// --- calls -----------------------------------------------------------------------------------------------------------

/// Callers of run take only work of their own roots. If several roots use the group, a root may end before a task that
/// it has added starts. Then only the pool's own threads take that task, so there must be one. Without a thread for the
/// group, such tasks are listed, and it is the strand that waits.
void group_state::require_taker() {
  if (thread_ == group_thread::if_needed && root_here(0) != root_) pool_.require_resident();
}

/// The strand that waits belongs to another root than queued tasks. Its caller takes them, because there may be no
/// other worker that does.
void group_state::accept_all() noexcept {
  const sched::root_number root = root_here(0);
  if (root == 0 || root == sched::submitted_roots) return;
  sched::worker& caller = pool_.member(root - 1U);
  caller.take_all();
  caller.wake();
}

bool group_state::may_queue(const sched::worker* here) const noexcept {
  if (here == nullptr || is_kept_ || sched::must_keep_thread() || sched::is_instrumented()) return false;
  // relaxed: own word
  return thread_ == group_thread::if_needed || here->serves.load(base::relaxed) == root_;
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
  count(t);
  if (sched::works_for(pool_)) {
    run_alone(t);
  } else {
    auto inside = [&] { run_alone(t); };
    sched::root_task<decltype(inside)> root{inside};
    sched::run_root(pool_, root);
  }
}

void group_state::add(group_task& t, sched::site where) {
  std::unique_ptr<group_task> mine{&t};
  if (hot::self() != nullptr && hot::is_past_limit(nullptr) && sched::must_stop()) sched::throw_stopped();
  if (run_at_once(t, where)) {
    mine.release();  // NOLINT(bugprone-unused-return-value): the task runs and deletes itself
    return;
  }
  require_taker();
  may_queue(worker_here()) ? queue(t) : list(t);
  mine.release();  // NOLINT(bugprone-unused-return-value): it is in the group, and may have ended
}

void group_state::wait() {
  if (followed_as_ != 0) sched::registered_group_follower->before_wait();
  if (is_all_followed()) return end_wait();
  if (worker_here() == nullptr) {
    auto inside = [this] { wait(); };
    sched::root_task<decltype(inside)> root{inside};
    sched::run_root(pool_, root);
    root.take();
    return;
  }
  require_taker();
  if (thread_ == group_thread::never && root_here(root_) != root_) accept_all();
  if (sched::is_instrumented()) run_as_loop();
  run_until_ended();
  end_wait();
}

/// The tasks have ended. Another thread may already have added the next one, which belongs to the next `wait`.
void group_state::end_wait() {
  if (followed_as_ != 0) sched::registered_group_follower->after_wait(followed_as_);
  open_.end_round();
  // relaxed: the wait has seen what the tasks have written
  if (const unsigned flags = fp_flags_.load(base::relaxed)) {
    fp_flags_.store(0, base::relaxed);
    base::raise_fp(flags);
  }
  if (first_failed_.load(base::relaxed) != none) end_failed_round();
}

void group_state::end_failed_round() {
  lock guard{lock_};
  if (std::exchange(raised_, false)) sched::end_alert();
  first_failed_.store(none, base::relaxed);  // relaxed: under the lock
  const std::exception_ptr error = std::exchange(error_, nullptr);
  guard.unlock();
  std::rethrow_exception(error);
}

void group_state::abandon() noexcept {
  fail(0, std::make_exception_ptr(stopped{}));
  if (followed_as_ != 0) sched::registered_group_follower->before_wait();
  if (worker_here() == nullptr) pool_.require_resident();
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

namespace {

group_state& in(group_place& g) noexcept { return *base::object_at<group_state>(g.bytes); }

}  // namespace

void open_group(group_place& g) {
  ::new (static_cast<void*>(g.bytes))
      group_state{sched::pool_of_this_thread(), nullptr, false, group_thread::if_needed};
}

void open_group(group_place& g, const stop_flag& flag, bool is_isolated, group_thread thread) {
  (::new (static_cast<void*>(g.bytes)) group_state{sched::pool_of_this_thread(), &flag, is_isolated, thread})
      ->keep_stretch();
}

void close_group(group_place& g) noexcept {
  group_state& s = in(g);
  if (s.is_used()) {
    if (!s.is_left_by_exception()) {
      base::fatal("a tine::task_group was destroyed after run() without wait(): call wait() before its scope ends.");
    }
    s.abandon();
  }
  s.~group_state();
}

void run_in_group(group_place& g, group_task& t) { in(g).add(t, base::to_word(__builtin_return_address(0))); }

void hold_group(group_place& g) noexcept { in(g).hold(); }
void release_group(group_place& g) noexcept { in(g).release(); }

bool is_group_empty(const group_place& g) noexcept { return base::object_at<const group_state>(g.bytes)->is_empty(); }

void wait_for_group(group_place& g) {
  const followed_wait noted{&g, lock_kind::task_group, __builtin_return_address(0)};
  in(g).wait();
}

}  // namespace tine::detail
