// The counts of a worker: statistics of a pool. Any thread may read them.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/sched/counters.hpp>

#include <cstdint>

namespace tine::sched {

/// A counter of a worker's, which any thread may read. Only the worker's thread writes it, by `add` or `set`; a counter
/// that other threads write, too, is written by `add_shared` only.
class count {
 public:
  // relaxed: a statistic; the owner is the only writer, so no read-modify-write either
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

  /// Adds these counts to `sum`.
  void add_to(counters& sum) const noexcept;
};

/// The state of the signals that thieves send to a worker. The signal handler on the worker's thread writes it,
/// and the thread itself when it arrives in the pool.
class signal_record {
 public:
  /// The handler has begun with a signal of tine's; or it got another signal of the same number, with which one of
  /// tine's may have merged; or the thread has arrived: an earlier signal may have reached it while it was not in this
  /// pool, and thieves must not take that for one that is still pending.
  void note() noexcept { handled_.add(); }
  /// Returns the number of signals that have arrived, whether or not they promoted.
  std::uint64_t handled() const noexcept { return handled_.get(); }
  /// Called by the handler when it begins, or has ended, its work on interrupted user code; the signal is blocked
  /// meanwhile.
  // relaxed, here and below: a hint for thieves
  void set_handling(bool now) noexcept { handling_.store(now, base::relaxed); }
  bool is_handling() const noexcept { return handling_.load(base::relaxed); }

 private:
  count handled_;
  base::atomic<bool> handling_{false};
};

}  // namespace tine::sched
