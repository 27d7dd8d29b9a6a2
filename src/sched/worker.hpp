// A worker: one thread's part in a pool, for as long as the thread takes part. The first group of functions is for the
// worker's own thread, the second for any thread. Each file has one activity: promote.cpp, join.cpp, steal.cpp
// (thief.hpp), sleep.cpp, interrupt.cpp.
#pragma once

#include "sched/beat_timer.hpp"
#include "sched/demand.hpp"
#include "sched/deque.hpp"
#include "sched/event_ring.hpp"
#include "sched/fiber.hpp"
#include "sched/inbox.hpp"
#include "sched/listener_list.hpp"
#include "sched/parked_list.hpp"
#include "sched/parker.hpp"
#include "sched/root_number.hpp"
#include "sched/root_runner.hpp"
#include "sched/thief_memory.hpp"
#include "sched/token_bucket.hpp"
#include "sched/worker_counts.hpp"

#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/shadow_stack.hpp>
#include <tine/sched/options.hpp>

#include <sys/types.h>
#include <vector>

namespace tine::sched {

struct pool_state;
struct join_counter;
struct scope;

/// A waiter's word in a completion is the address of a suspended fiber, or, with this bit set, the address of a worker
/// that waits for a root.
inline constexpr completion::word waits_for_root = 2;

/// The address of a worker with these bits names a worker whose thread blocks at a join (worker::block_until). A
/// worker's alignment leaves space for the second one.
inline constexpr completion::word blocks_at_join = waits_for_root | 8;

/// The root that a caller of run brings along when its thread becomes a worker. Only that thread uses it.
struct root_call {
  task* root = nullptr;    ///< stays set until it has finished; null: a thread of the pool
  observer* by = nullptr;  ///< the analysis of the strand that brings the root, or null
  site from = 0;           ///< the place of the call, if a profile asks for it
  caller_policy how = caller_policy::any_root;
  int* error = nullptr;  ///< errno of the code that brings the root, which the root begins with and hands back
  bool has_begun = false;
};

/// Returns true if a strand whose innermost scope is `innermost` is to stop (stop.cpp).
bool is_stopping(const scope* innermost) noexcept;

class alignas(base::cache_line_pair) worker {
 public:
  worker(pool_state& pool, unsigned index, processor where);
  ~worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // --- its own thread -------------------------------------------------------------------------------------------

  /// The calling thread becomes the worker, and works until `work_is_over`. If it works for another pool, its words
  /// must have been put away. `how` says what a caller, who brings a root, does while the root runs elsewhere
  /// (callers.cpp). `root_caller` is the analysis of the strand that brings the root.
  void take_part(const root_call& call) noexcept;

  /// The slow path of a fork: acknowledges the work request and serves idle workers. If there will be another idle
  /// worker to serve, a request stays pending, so the next fork comes here, too. `stops`: the fork stops, so it doesn't
  /// serve idle workers, and the request stays pending.
  void serve_request(hot_words& h, bool stops) noexcept;
  /// Promotes up to `more` records, whether or not a worker is idle.
  void offer(hot_words& h, unsigned more) noexcept;
  /// Grows the shadow stack of the running fiber until it has space for records up to `top`, or as far as it may grow.
  /// Returns its end.
  address grow_up_to(address top) noexcept;
  /// Grows the shadow stack like `grow_up_to`; ends the program with a message if there is no space up to `top`.
  void require_capacity(address top) noexcept {
    if (top > running_->records_end()) grow_or_end(top);
  }
  /// Returns the value of the limit while no work request is pending.
  address unrequested_limit(const hot_words& h) const noexcept;
  /// Called in user code, on the slow path of a fork: looks for events, if the pool has an event source.
  void look_when_busy() noexcept;
  /// Returns true if the pool has an event source, and this worker has not looked while busy within the last `gap`
  /// ticks.
  bool is_look_due(base::ticks gap) const noexcept;
  /// Called by the signal handler in the middle of user code: serves idle workers.
  void serve_signal(hot_words& h, bool beat) noexcept;
  /// Called by the signal handler in the middle of the scheduler: promotes nothing.
  void miss_signal(hot_words& h, bool beat) noexcept;
  /// Called by the signal handler in user code that waits in the kernel: promotes all pending records, so no thief has
  /// a reason to interrupt the wait again. Returns false if some stay pending.
  bool promote_all_pending(hot_words& h) noexcept;
  /// A slow join (join.cpp) with the task of a record that lies from `begin` to `end`. `wanted`: the caller needs the
  /// result; if false, we stop the task.
  static joined join(task& t, address begin, address end, bool wanted) noexcept;
  /// Queues a task that lies in no record, in the scheduler. The deque must have space.
  void queue(task& t) noexcept;
  /// Takes the newest queued task back if it lies in no record and `wanted` returns true. Returns null otherwise. If
  /// the running strand must keep its thread, older tasks are considered, too.
  task* reclaim_newest(bool (&wanted)(const task&, const void*), const void* by) noexcept;
  /// The three steps of a slow join. `reclaim` takes a task back that no thief has stolen. Otherwise `wait_for` leaves
  /// the fiber until the task has finished, and returns on the worker that resumes the fiber; an isolated strand blocks
  /// its thread instead. Then `collect` learns from the task.
  bool reclaim(task* t, address record) noexcept;
  void wait_for(task& t, address begin, address end, bool wanted) noexcept;
  bool ends_within(base::ticks limit, const completion& done) const noexcept;
  /// Leaves the fiber until `done` is finished. Its records end at `records_end`; it continues with its top at
  /// `resume_at`.
  void suspend_until(completion& done, address records_end, address resume_at) noexcept;
  /// Blocks the thread until `done` is finished, because the running strand is isolated.
  void block_until(completion& done) noexcept;
  /// Leaves the fiber at a join counter (join_counter.hpp); its pending records stay pending.
  void suspend_at(join_counter& r) noexcept;
  void collect(task& t) noexcept;

  /// For the front end of continuations: publishes an end that a fiber may wait for. We resume that fiber when the
  /// running fiber has nothing left to do: when its continuation returns to the scheduler, or when it waits itself.
  void announce_end(completion& done) noexcept;
  /// Resumes a fiber that waits for nothing any more when the running fiber has nothing left to do: it is to continue
  /// on this worker.
  void resume_here_afterwards(context& waiter) noexcept { successor_ = &waiter; }

  /// Makes every pending record a task, even if no worker is idle. Returns false inside tine::sequential, where some
  /// records stay pending.
  bool promote_all(hot_words& h) noexcept;
  /// Promotes all records of a strand that is about to lose its native stack. It does so even if the strand is
  /// unstealable, because otherwise they would be lost. Returns false, and does nothing, inside tine::sequential.
  bool promote_even_closed(hot_words& h) noexcept;
  /// `go_away` promotes like `promote_all`: the worker's thread is about to work for another pool for a while.
  /// `come_back`: it is back.
  void go_away(hot_words& h) noexcept;
  void come_back(hot_words& h) noexcept;

  /// `expect_back`: a fiber that belongs to this worker's thread leaves the worker. `note_back`: it is back. A caller
  /// stays until all are back.
  void expect_back() noexcept { fibers_away_.fetch_add(1, base::relaxed); }
  void note_back() noexcept { fibers_away_.fetch_sub(1, base::relaxed); }

  /// Adds an event to the timeline, if we keep one.
  void note(event_kind is, std::uintptr_t subject = 0, unsigned other = 0) noexcept {
    if (events_ != nullptr) events_->add(is, subject, other);
  }

  /// Returns the fiber that runs, or null on the thread's own stack.
  const fiber* running() const noexcept { return running_; }

  // skipped_stretch.cpp
  /// The running strand has this part in a skipped stretch from now on. Returns its part so far, whose time has been
  /// added to its stretch.
  skipped_part exchange_skipped(skipped_part next) noexcept;
  /// Called in a skipped stretch. If it takes too long, promotes all pending records, so that their joins come to
  /// `join_skipped`.
  void promote_if_skipping_for_long(hot_words& h) noexcept;
  /// The running strand has reclaimed this task. If its stretch takes too long, runs the task observed, as a thief
  /// would.
  static joined join_skipped(task& t, address begin, address end) noexcept;

  /// The first function of a fiber: settles the context that was left for it, then runs tasks.
  static void on_fiber(departure& left);

  // --- any thread -----------------------------------------------------------------------------------------------

  /// Wakes the worker if it is asleep. Returns true if it was.
  bool wake() noexcept;
  /// Returns true if this worker takes work of the root that the queued task belongs to. An estimate if another thread
  /// calls it.
  bool accepts(const task* queued) const noexcept { return takes_all() || accepts(root_of(queued)); }
  bool accepts(root_number root) const noexcept;  // callers.cpp
  /// Returns true if it takes work of every root; a caller may take that of its own root alone. As accepts, an
  /// estimate.
  void take_all() noexcept;
  bool takes_all() const noexcept { return takes_only_.load(base::relaxed) == 0; }  // relaxed: own word, or an estimate
  void notify_of(inbox::claim as) noexcept;                                         // submit.cpp

  pool_state& pool;
  const unsigned index;
  const processor where;
  /// For the slot of a caller: the worker of another pool that the thread was when it took the slot, and will be again
  /// afterwards. Written under the lock of this pool; it doesn't change while the slot is taken.
  worker* below = nullptr;

  deque<task> tasks;   ///< tasks that are promoted and not yet stolen
  inbox box;           ///< work that other threads have submitted
  parked_list parked;  ///< tasks that left this worker because they wait for something outside of the pool
  alignas(base::cache_line) base::atomic<bool> busy{false};  ///< runs a task; other threads may hold a hazard on it
  base::atomic<bool> unserved{false};               ///< it lacked a token for a request: a thief must request again
  base::atomic<worker*> protected_worker{nullptr};  ///< the worker on which this worker holds a hazard
  base::atomic<hot_words*> words{nullptr};          ///< the hot words of its thread; valid while busy
  base::atomic<pid_t> thread{0};
  parker idle_parker;
  base::atomic<root_number> serves{0};  ///< the root that its current work belongs to

 private:
  friend class thief;
  friend struct debugger_layout;

  // callers.cpp; other threads read these, too
  parker aside_parker_;                        ///< of a caller that stands aside
  base::atomic<bool> needs_root_task_{false};  ///< stands aside, and has seen that its root has pending records
  base::atomic<bool> is_away_{false};          ///< its thread works for another pool
  base::atomic<root_number> takes_only_{0};    ///< for a caller: the only root that it works for; 0: it works for all
  void begin_call(const root_call& call) noexcept;
  void end_call() noexcept;
  worker* caller_short_of_work() const noexcept;
  bool stands_aside() const noexcept { return !takes_all() && waits_or_has_rivals(); }
  bool waits_or_has_rivals() const noexcept;
  root_number own_number() const noexcept { return static_cast<root_number>(index + 1); }
  /// Called for a caller that stands aside: a task of its root is queued.
  void bring_root_task() noexcept;

  parker join_parker_;  ///< of a thread that blocks at a join; only the worker that ends the joined task calls it

  // worker_listener.cpp
  void tell_of_beginning() noexcept;
  void tell_of_end() noexcept;

  // event_source.cpp
  /// Called by an idle worker: looks for events. Returns true if it must look again soon.
  bool look_when_idle() noexcept;
  /// Returns true if the pool has a source of events for which this worker has to look soon.
  bool has_open_source() const noexcept;
  void beat_for_events() noexcept;

  // worker.cpp: from task to task
  static void loop() noexcept;
  task* next_task() noexcept;
  bool work_is_over() const noexcept;
  void run(task& t) noexcept;
  bool run_root_task(task& t) noexcept;  // observer.cpp
  static bool run_counted(task& t, position& forked) noexcept;
  static bool run_apart(task& t) noexcept;
  void rest_skipped() noexcept;
  void run_skipped() noexcept;
  address promotion_limit_of_run(const hot_words& h, address at) const noexcept;
  void run_continuation(std::uintptr_t c) noexcept;
  void finish(task& t, completion::word flags) noexcept;
  void wake_waiter(completion::word waiter, completion::word flags) noexcept;
  void resume_fiber(context& waiter) noexcept;
  void resume_at_origin(fiber& waiter) noexcept;
  bool returns_to_its_thread(fiber& waiter) noexcept;
  /// Resumes that fiber when the running fiber has nothing left to do, or returns it to the thread that it left.
  void resume_afterwards(fiber& waiter) noexcept {
    if (!returns_to_its_thread(waiter)) successor_ = &waiter;
  }
  task* next_return() noexcept;
  bool seems_to_look() const noexcept;
  /// Returns true if a timeline is kept.
  bool has_timeline() const noexcept { return events_ != nullptr; }
  void leave_fiber(departure::then what, void* awaited, address records_end, address resume_at) noexcept;
  void begin_run(hot_words& h, address at) noexcept;
  void start_running(hot_words& h) noexcept;
  void end_run() noexcept;
  void wait_for_hazards() noexcept;
  void arrive() noexcept;
  void depart() noexcept;
  void leave_for(context& to, departure::then what, void* awaited = nullptr) noexcept;
  static void settle(departure& left) noexcept;
  fiber& spare_fiber() noexcept;
  void keep_fiber(fiber& f) noexcept;

  // promote.cpp
  enum class served : unsigned char { all, no_demand, no_token };
  void count_vain(served how) noexcept;
  served serve(hot_words& h, promoted_by why) noexcept;
  /// `takers`: if the record is a range, the number of idle workers that get a share of it; 0: promotes all of it.
  void queue_oldest(hot_words& h, promoted_by why, unsigned takers) noexcept;
  void set_limit_for_run(hot_words& h) noexcept;
  bool waits_for_beat() const noexcept;
  void rearm_limit(hot_words& h, served how) noexcept;
  void request_for_beat(hot_words& h) noexcept;
  void grow_or_end(address top) noexcept;
  static const scope* shielded(const scope* inside) noexcept;
  const scope* scope_of(const hot_words& h, address at) const noexcept;
  std::uint32_t words_of_fork(const hot_words& h, address at) const noexcept;
  static position* counted_fork_at(address at, const scope* inside) noexcept;
  bool is_unknown_to_region(const hot_words& h, std::uint32_t levels) const noexcept;
  std::uint32_t levels_of_signal(const hot_words& h) noexcept;
  void leave_unserved(bool all_sleep) noexcept;
  bool put_back(task* orphan) noexcept;  // join.cpp
  void note_reclaimed(const task* t) noexcept;
  task* find_queued(bool (&wanted)(const task&, const void*), const void* by) noexcept;
  bool may_promote(hot_words& h, std::uint32_t levels) const noexcept;
  static constexpr std::uint32_t all_levels = ~std::uint32_t{0};
  /// The last signal's search for the position of the strand's record.
  struct {
    const position* from = nullptr;  ///< where it started
    std::uint32_t levels = 0;        ///< how far it went up; 0: it found the record
  } search_;

  fiber* running_ = nullptr;
  event_ring* events_ = nullptr;  ///< the ring for the timeline; null: we keep none
  context native_;                ///< the thread's own stack, below all fibers
  root_call call_;
  base::atomic<std::uint32_t> timed_park_word_{0};  ///< a futex word for timed parks
  bool looks_ = false;                              ///< it calls its event source
  told_listeners told_;                             ///< the listeners that know that it works
  base::ticks looked_ = 0;                          ///< time of its last call while it was busy
  base::atomic<unsigned> fibers_away_{0};           ///< number of fibers that left this worker and have to return to it
  context* successor_ = nullptr;                    ///< the fiber to resume when the running fiber is left
  token_bucket bucket_;
  thief_memory hunt_;
  beat_timer beat_;
  std::vector<fiber*> fibers_;  ///< a few spare fibers

 public:
  // At the end, apart from what other threads read often.
  worker_counts counts;
  signal_record signals;
};

/// Returns the task as the running strand queues it, numbered with the root of that strand.
inline task* of_running_root(task* t) noexcept {
  return numbered(t, hot::self()->serves.load(base::relaxed));  // relaxed: own word
}

}  // namespace tine::sched
