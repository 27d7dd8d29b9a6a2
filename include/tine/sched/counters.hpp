// What a pool has done so far, as numbers.
#pragma once

#include <cstdint>

namespace tine {

/// Totals over all workers of a pool since it started. Each number only grows. Read while the pool runs
/// they are a few microseconds old and not of one instant; read after `run` returned on a quiet pool
/// they are exact.
struct counters {
  std::uint64_t promotions = 0;         ///< records that became stealable tasks
  std::uint64_t signal_promotions = 0;  ///< of these, from the signal handler
  std::uint64_t steals = 0;             ///< promoted tasks, and roots from outside, that a thief took
  std::uint64_t unstolen = 0;           ///< tasks their owner took back at the join
  std::uint64_t suspensions = 0;        ///< joins that parked their fiber because the child still ran
  std::uint64_t polls = 0;              ///< times a fork found the doorbell rung
  std::uint64_t rings = 0;              ///< times a thief rang a doorbell
  std::uint64_t signals = 0;            ///< signals sent to workers that did not answer the bell
  std::uint64_t parks = 0;              ///< times a worker went to sleep
  std::uint64_t wakes = 0;              ///< times a worker woke another
  std::uint64_t fibers = 0;             ///< fibers mapped (a high-water mark, they are reused)
  std::uint64_t run_ns = 0;             ///< nanoseconds spent in tasks, all workers together
};

}  // namespace tine
