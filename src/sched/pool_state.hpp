// What the workers of a pool share, and the way in and out of it.
#pragma once

#include "base/mutex.hpp"
#include "sched/worker.hpp"

#include <tine/base/clock.hpp>
#include <tine/sched/options.hpp>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tine::sched {

struct pool_state;

/// All pools of the process, for alerts.
struct pool_list {
  base::mutex lock;  ///< guards the rest, and who visits workers from outside
  int alerts = 0;
  std::vector<pool_state*> all;

  void add(pool_state& p);
  void remove(pool_state& p) noexcept;
};
pool_list& pools() noexcept;

struct pool_state {
  explicit pool_state(const options& asked);
  ~pool_state();
  pool_state(const pool_state&) = delete;
  pool_state& operator=(const pool_state&) = delete;

  /// A caller of run gets a seat: a worker nobody else is. Waits while all are taken. `below`: whom its thread has put
  /// away for it, if any.
  worker& take_seat(worker* below);
  void give_back(worker& seat) noexcept;

  /// All workers that have ever been, in order of their index. Grows, never shrinks.
  unsigned members() const noexcept { return members_.load(base::acquire); }  // pairs with the release in add_seat
  worker& member(unsigned i) const noexcept { return *table_[i]; }
  /// How many there can ever be: the pool's own threads, and a seat for each caller.
  unsigned slots() const noexcept { return settings.workers - 1 + settings.max_callers; }

  /// Returns true if a fiber that has waited is bound to the thread that it left.
  bool keeps_threads() const noexcept { return settings.resume == resume_policy::same_thread; }

  /// After a task was queued: wakes a worker if those awake are too few to take what is queued.
  void wake_if_needed(worker& by) noexcept;
  /// After demand came back that a queued task had met: wakes a worker if all thieves sleep. Another owner may have kept
  /// its record to itself, because the task was there.
  void wake_if_deserted(worker& by) noexcept;
  /// Wakes one sleeper, of `by`'s node if there is one. Whether there was any.
  bool wake_one(worker& by) noexcept;

  /// An alert begins: rings every worker that works. And ends. Under the lock of `pools`.
  void begin_alert() noexcept;
  void end_alert() noexcept;

  const options settings;
  const base::ticks spin;             ///< how long a thief looks in vain before it thinks of sleep
  const base::ticks patience;         ///< how long a rung worker may take before it is interrupted
  const base::ticks ring_gap;         ///< between two rings of one thief, at first
  const bool can_bar;                 ///< whether the kernel has a barrier over all threads
  const bool signals;                 ///< whether workers may be interrupted
  const bool crowded;                 ///< more workers than processors: spinning means yielding
  const std::string shadow_overflow;  ///< the message, ready for a place where none can be made
  const std::string records_refused;
  const std::string stack_overflow;

  demand wanted;
  alignas(base::cache_line) base::atomic<int> asleep{0};  ///< announced sleepers
  std::unique_ptr<base::atomic<int>[]> awake;             ///< thieves awake, by node
  alignas(base::cache_line) base::atomic<bool> stopping{false};
  base::atomic<int> callers{0};                  ///< of run, of those who take only work of their own root
  base::atomic<int> alerts{0};                   ///< while there are any, strands look whether they are to stop
  base::atomic<worker*> outside_visit{nullptr};  ///< whom a thread that is no worker visits

  fiber_store fibers;

 private:
  void start_threads();
  void stop_threads() noexcept;
  worker& add_member(unsigned place_index);
  bool is_entered_only_from(const pool_state& outer) const;

  std::vector<place> places_;
  std::unique_ptr<std::unique_ptr<worker>[]> table_;
  base::atomic<unsigned> members_{0};

  mutable std::mutex lock_;  // guards what follows
  std::condition_variable seat_free_;
  std::vector<worker*> free_seats_;
  std::vector<worker*> taken_seats_;

  std::vector<std::thread> threads_;

  /// In the list of pools from the construction on; last, so that everything else is there.
  struct listed {
    explicit listed(pool_state& p) : pool{p} { pools().add(p); }
    ~listed() { pools().remove(pool); }
    listed(const listed&) = delete;
    listed& operator=(const listed&) = delete;
    pool_state& pool;
  } const listed_{*this};
};

/// What a fiber runs (worker.cpp).
void on_fiber(departure& left);

}  // namespace tine::sched
