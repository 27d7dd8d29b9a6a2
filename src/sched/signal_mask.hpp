// The signals of tine in the masks of threads: the signals that a thread must not block while it is a worker, and the
// test by which a thief learns that a thread blocks one.
#pragma once

#include "sched/worker.hpp"

#include <csignal>

namespace tine::sched {

/// While it lives, the calling thread does not block the pool's signal, nor the faults whose handler recognises a stack
/// overflow. The destructor blocks the signals again that were blocked before; it does not touch the rest of the mask,
/// so changes that the thread itself has made meanwhile stay.
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
/// hazard on the victim. Reads a file in /proc; all members are false if that is not possible.
signal_masks masks_of(const worker& victim) noexcept;

/// Returns the processor time of the worker's thread, in nanoseconds. Only while the caller holds a hazard on the
/// worker.
std::uint64_t processor_time_of(const worker& victim) noexcept;

}  // namespace tine::sched
