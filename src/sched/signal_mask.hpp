// The signals of tine in the masks of threads: what a thread must not block while it is a worker, and how a thief learns that
// one does.
#pragma once

#include "sched/worker.hpp"

#include <csignal>

namespace tine::sched {

/// While it lives, the calling thread takes the pool's signal, and the faults by which a stack overflow is told from others.
/// Afterwards those that were blocked before are blocked again; the rest of the mask is not touched, so what the thread itself
/// changes meanwhile stays changed.
class open_to_signals {
 public:
  explicit open_to_signals(const pool_state& pool) noexcept;
  ~open_to_signals();
  open_to_signals(const open_to_signals&) = delete;
  open_to_signals& operator=(const open_to_signals&) = delete;

 private:
  sigset_t opened_;  ///< those that were blocked before
  bool any_;
};

/// What the kernel says of the pool's signal in one thread.
struct signal_masks {
  bool blocked = false;
  bool pending = false;
  bool waits = false;  ///< the thread sleeps in a system call; it waits neither for a processor nor for a page
};

/// A thief's look at a worker that has not handled a signal for long; only during a visit. Reads a file in /proc; all are false if
/// that is not possible.
signal_masks masks_of(const worker& victim) noexcept;

/// The processor time of the worker's thread, in nanoseconds; only during a visit.
std::uint64_t processor_time_of(const worker& victim) noexcept;

}  // namespace tine::sched
