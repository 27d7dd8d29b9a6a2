// Counters: the totals of what a pool has done so far. A plain value; `pool::counters` makes one on any thread.
#pragma once

#include <cstdint>

namespace tine {

/// The signals of thieves that promoted nothing, by the state that the handler found. Not all of `counters::signals`
/// appear here: some promoted, some merged with a signal that was already pending, and some came when their thread had
/// left the pool.
struct vain_signals {
  std::uint64_t in_scheduler = 0;     ///< the victim was executing scheduler code
  std::uint64_t nothing_pending = 0;  ///< no record was left that may be promoted
  std::uint64_t no_demand = 0;        ///< every idle worker had a queued task to steal, or the deque was full
  std::uint64_t no_token = 0;         ///< the promotion policy allowed no promotion at that time
};

/// Totals over all workers of a pool since it started. Each number only grows. If you read them while the pool runs,
/// they are a few microseconds old and not of one instant; after `run` has returned on a quiet pool they are exact.
struct counters {
  std::uint64_t promotions = 0;         ///< records that became stealable tasks
  std::uint64_t signal_promotions = 0;  ///< of these, the records that the signal handler promoted
  std::uint64_t steals = 0;             ///< promoted tasks, and roots from outside, that a thief stole
  std::uint64_t reclaimed = 0;          ///< tasks that their owner reclaimed at the join
  std::uint64_t suspensions = 0;        ///< joins that suspended their fiber because the child still ran
  std::uint64_t polls = 0;              ///< times a fork found a work request pending
  std::uint64_t requests = 0;           ///< work requests that thieves posted
  std::uint64_t signals = 0;            ///< signals sent to workers that did not acknowledge a work request
  vain_signals vain;                    ///< of these, the signals that promoted nothing
  /// Attempts to interrupt a worker that could not succeed: its thread has blocked the signal, or other handlers keep
  /// replacing tine's. While this grows, a pending fork may wait until its owner forks or joins.
  std::uint64_t signals_prevented = 0;
  std::uint64_t handlers_replaced = 0;  ///< times tine put its handler in front of one that was installed later
  std::uint64_t sleeps_continued = 0;   ///< sleeps of user code that a signal interrupted and the handler continued
  std::uint64_t calls_interrupted = 0;  ///< system calls of user code that returned EINTR because of a signal of tine's
  std::uint64_t parks = 0;              ///< times a worker went to sleep
  std::uint64_t wakes = 0;              ///< times a worker woke another
  std::uint64_t fibers = 0;             ///< fibers mapped (a high-water mark, because fibers are reused)
  std::uint64_t run_ns = 0;             ///< nanoseconds spent in tasks, all workers together
  std::uint64_t threads_refused = 0;    ///< threads that the system refused: the pool works with fewer
};

}  // namespace tine
