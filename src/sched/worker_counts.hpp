// The counts of a worker: statistics of a pool. The worker's thread writes them; any thread may read them.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/sched/counters.hpp>

#include <cstdint>

namespace tine::sched {

/// A worker's counter. Only the worker's thread writes it, by `add` or `set`. If other threads write a counter, too,
/// all writes go through `add_shared`.
class count {
 public:
  // relaxed: a statistic; the owner is the only writer, so it needs no read-modify-write
  void add(std::uint64_t n = 1) noexcept { value_.store(value_.load(base::relaxed) + n, base::relaxed); }
  // for an event that any thread counts on behalf of this worker
  void add_shared() noexcept { value_.fetch_add(1, base::relaxed); }
  void set(std::uint64_t n) noexcept { value_.store(n, base::relaxed); }
  std::uint64_t get() const noexcept { return value_.load(base::relaxed); }

 private:
  base::atomic<std::uint64_t> value_{0};
};

struct worker_counts {
  count promotions, signal_promotions, steals, reclaimed, suspensions, polls, requests, signals, parks, wakes,
      run_ticks;
  // written by the signal handler, on this worker's thread only
  count in_scheduler, nothing_pending, no_demand, no_token, sleeps_continued, calls_interrupted;
  // written by this worker as a thief
  count signals_prevented, handlers_replaced;

  void add_to(counters& sum) const noexcept;
};

/// The state of the signals that thieves send to a worker. The signal handler on the worker's thread writes it, and so
/// does the thread itself when it arrives in the pool.
class signal_record {
 public:
  /// Call it in three cases. The handler has begun with a signal of ours. Or it got another signal of the same number,
  /// and one of ours may have merged with it. Or the thread has arrived in the pool: an earlier signal may have reached
  /// it while it was away, and thieves must not take that one for pending.
  void note() noexcept { handled_.add(); }
  /// Returns the number of signals that have arrived, whether or not they promoted.
  std::uint64_t handled() const noexcept { return handled_.get(); }
  /// The handler calls it when it begins its work on interrupted user code, and when it has ended it. The signal is
  /// blocked meanwhile.
  void set_handling(bool now) noexcept { handling_.store(now, base::relaxed); }
  bool is_handling() const noexcept { return handling_.load(base::relaxed); }

 private:
  count handled_;
  base::atomic<bool> handling_{false};
};

}  // namespace tine::sched
