// tine's signals in the masks of threads: the signals that a thread must not block while it is a worker, and the test
// by which a thief learns that another thread blocks one.
#pragma once

#include "sched/worker.hpp"

#include <csignal>

namespace tine::sched {

/// While it lives, the calling thread doesn't block the pool's signal, nor the faults by which we recognise a stack
/// overflow. The destructor blocks those again that were blocked before. It doesn't touch the rest of the mask, so
/// changes that the thread itself has made meanwhile stay.
class open_to_signals {
 public:
  explicit open_to_signals(const pool_state& pool) noexcept;
  ~open_to_signals();
  open_to_signals(const open_to_signals&) = delete;
  open_to_signals& operator=(const open_to_signals&) = delete;

 private:
  sigset_t opened_;  ///< the signals that were blocked before
  bool any_;
};

/// The kernel's state of the pool's signal in one thread.
struct signal_masks {
  bool blocked = false;
  bool pending = false;
  bool waits = false;  ///< the thread sleeps in a system call; it waits neither for a processor nor for a page
};

/// Returns the state for a worker that has not handled a signal for long. A thief calls it, only while it holds a
/// hazard on the victim. Reads a file in /proc; if that isn't possible, all members are false.
signal_masks masks_of(const worker& victim) noexcept;

/// Returns the processor time of the worker's thread, in nanoseconds. Only while the caller holds a hazard on the
/// worker.
std::uint64_t processor_time_of(const worker& victim) noexcept;

}  // namespace tine::sched
