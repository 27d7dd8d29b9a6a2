// The state that the workers of a pool share, and the worker slots by which callers enter and leave the pool. Any
// thread may use it; comments say which members need a lock.
#pragma once

#include "base/mutex.hpp"
#include "sched/root_queue.hpp"
#include "sched/worker.hpp"

#include <tine/base/ticks.hpp>
#include <tine/sched/options.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tine::sched {

class event_source;
class external_wait;
struct pool_state;

/// The list of all pools of the process, for alerts.
struct pool_list {
  base::mutex lock;  ///< guards the other members, and hazards of threads that are not workers of the pool
  int alerts = 0;
  std::vector<pool_state*> all;

  void add(pool_state& p);
  void remove(pool_state& p) noexcept;
};
pool_list& pools() noexcept;

struct pool_state {
  static pool_state* make(const options& asked);
  ~pool_state();
  pool_state(const pool_state&) = delete;
  pool_state& operator=(const pool_state&) = delete;

  /// Gives a caller of run its slot: a worker that no other thread is. Waits while all slots of callers are taken.
  /// `below`: the worker that the caller's thread has put away for it, if any.
  worker& take_slot(worker* below);
  void give_back(worker& slot) noexcept;

  /// Number of workers that have ever been in the pool, in the order of their index. It never shrinks.
  unsigned members() const noexcept { return members_.load(base::acquire); }  // pairs with the release in add_member
  worker& member(unsigned i) const noexcept { return *table_[i]; }
  /// The most members that there can ever be: the pool's own threads, one more for submitted roots, and a slot for each
  /// caller.
  unsigned slots() const noexcept { return settings.workers + settings.max_callers; }

  /// Returns the table by which that worker draws its victims. Callers beyond the first have none.
  victim_table victims_of(unsigned i) const;

  /// Queues a submitted root. The first call starts the resident.
  void submit(submission& root, root_priority how);
  /// Starts the resident if it isn't running: a thread outside of the pool is going to submit work that no caller
  /// brings a thread for.
  void require_resident() {
    const std::lock_guard guard{lock_};
    start_resident();
  }
  /// Returns true if the system has refused every thread, so submitted roots run on threads that wait for them.
  bool is_without_threads() const noexcept { return is_without_threads_.load(base::relaxed); }  // relaxed: an estimate
  /// A submitted root has ended. Afterwards the pool may be gone.
  void end_submitted() noexcept;
  /// The pool gets work that callers refuse: that of the caller `newcomer`, or, if it is null, submitted roots.
  void add_rival(const worker* newcomer) noexcept;

  /// Returns true in a child of fork(2) if the pool was made by its parent: the pool's threads are in the parent.
  // relaxed: set before the child has a second thread
  bool lost() const noexcept { return is_lost.load(base::relaxed); }
  /// Returns this pool. If it is lost, returns the pool that takes its place; the first call makes it.
  pool_state& here() { return lost() ? successor().here() : *this; }
  const pool_state* successor_if_any() const noexcept { return successor_; }
  static void destroy(pool_state* p) noexcept;

  /// Returns true if a fiber that has waited is bound to the thread that it left.
  bool keeps_threads() const noexcept { return settings.resume == resume_policy::same_thread; }

  /// Call it after you queued a task: wakes a worker if too few are awake to take the queued tasks.
  void wake_if_needed(worker& by) noexcept;
  /// Called after an owner reclaimed a queued task and so raised the demand again: wakes a worker if all thieves sleep.
  /// Another owner may have kept its record because that task was queued.
  void wake_if_deserted(worker& by) noexcept;
  /// Wakes one sleeper, on `by`'s NUMA node if one sleeps there. Returns true if there was a sleeper.
  bool wake_one(worker& by) noexcept;

  /// `begin_alert`: an alert begins, and every busy worker gets a work request. `end_alert`: it ends. Call both under
  /// the lock of `pools`.
  void begin_alert() noexcept;
  void end_alert() noexcept;

  /// Attaches the event source of `pool::attach`.
  void attach(event_source& s);
  /// Returns the event source, or null.
  event_source* source() const noexcept { return source_.load(base::acquire); }  // pairs with the release in attach

  options settings;                   ///< does not change after the construction
  const base::ticks join_spin;        ///< how long a strand waits for a stolen task before it is suspended
  const base::ticks spin;             ///< how long a thief looks in vain before it goes to sleep
  const base::ticks patience;         ///< how long a request is pending before the thief interrupts the worker
  const base::ticks request_gap;      ///< time between two work requests of one thief, at first
  const bool can_bar;                 ///< the kernel has a barrier over all threads
  const bool signals;                 ///< workers may be interrupted
  const bool crowded;                 ///< more workers than processors: spinning means yielding
  const std::string shadow_overflow;  ///< the message, made early because a slow path or handler cannot make one
  const std::string records_refused;
  const std::string stack_overflow;

  demand wanted;
  alignas(base::cache_line) base::atomic<int> asleep{0};  ///< number of announced sleepers
  std::unique_ptr<base::atomic<int>[]> awake;             ///< number of thieves awake, by NUMA node
  alignas(base::cache_line) base::atomic<bool> stopping{false};
  listener_list listeners;       ///< called by the workers
  root_queue roots;              ///< submitted roots that no worker has started
  base::atomic<int> callers{0};  ///< callers of run that take only work of their own root, and the resident
  base::atomic<int> alerts{0};   ///< alerts raised; if not 0, strands check whether they are to stop
  base::atomic<worker*> external_hazard{nullptr};  ///< the worker on which a thread that raises an alert holds a hazard

  base::atomic<bool> is_lost{false};  ///< see lost
  base::atomic<unsigned> threads_refused{0};
  fiber_store fibers;

  /// See `pool::is_entered_here`.
  bool is_entered_here() const;

 private:
  friend struct debugger_layout;
  explicit pool_state(const options& asked);
  pool_state& successor();

  void start_threads();
  bool start_thread(unsigned number);
  void name_this_thread(const worker& w) const noexcept;
  void start_resident();
  void let_callers_help() noexcept;
  void run_submitted_here();
  void stop_threads() noexcept;
  worker& add_member(unsigned place_index);
  bool is_entered_only_from(const pool_state& outer) const;

  std::vector<processor> places_;
  std::unique_ptr<std::unique_ptr<worker>[]> table_;
  base::atomic<unsigned> members_{0};
  base::atomic<event_source*> source_{nullptr};
  base::atomic<bool> is_without_threads_{false};

  pool_state* successor_ = nullptr;

  mutable std::mutex lock_;  // guards the members below
  std::condition_variable slot_free_;
  std::vector<worker*> free_slots_;
  std::vector<worker*> taken_slots_;
  bool has_resident_ = false;           // a thread of the pool's own for submitted roots
  std::size_t submitted_ = 0;           // number of submitted roots that have not ended
  external_wait* all_ended_ = nullptr;  // the end of the pool waits for the end of the last one there

  std::vector<std::thread> threads_;

  /// Keeps the pool in the list of pools. It is the last member, so all other members exist while the pool is in the
  /// list.
  struct listed {
    explicit listed(pool_state& p) : pool{p} { pools().add(p); }
    ~listed() { pools().remove(pool); }
    listed(const listed&) = delete;
    listed& operator=(const listed&) = delete;
    pool_state& pool;
  } const listed_{*this};
};

}  // namespace tine::sched
