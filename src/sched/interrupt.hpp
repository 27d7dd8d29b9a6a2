// Interrupting a worker that has not forked for long: the signal, which a thief sends, and its handler on the victim's
// thread.
//
// Rules of the handler (src/sched/README.md has the reasons): it returns at once if that thread is in the scheduler. It
// doesn't allocate or lock, keeps errno, and needs no more stack than its own alternate one.
#pragma once

#include "sched/worker.hpp"

namespace tine::sched {

/// Installs the handler of that signal, once per process and signal. Throws std::system_error.
void install_interrupt_handler(int signal);

/// A thief calls it before it sends the signal. If the program has installed another handler in the meantime, this puts
/// a handler of ours in front of it, which passes on the signals that aren't ours, and returns true. Several threads
/// may call it at once.
bool take_handler_back(int signal) noexcept;

/// The fate of a signal that has not been handled for long.
enum class signal_fate : unsigned char {
  pending,    ///< the victim's thread will handle it when it gets a processor
  lost,       ///< it has to be sent again
  prevented,  ///< the victim's thread has blocked it, or the program has installed too many handlers
};

/// Finds out what became of a signal; a thief calls it while it holds a hazard on the victim. `handled`: the number of
/// signals that the victim had handled before the thief sent its own. `ran_ns`: the victim's processor time at the
/// first inquiry after a signal; it is 0 before that inquiry, which sets it. Prints a message, once per process, when
/// signals are prevented.
signal_fate inquire(const worker& victim, std::uint64_t handled, std::uint64_t& ran_ns) noexcept;

/// Returns the value that all our signals carry, those of thieves and of heartbeats. The handler recognises them by it.
void* signal_mark() noexcept;

/// Interrupts the calling thread by a signal of ours. The handler has returned when this function returns, unless the
/// thread blocks the signal.
void interrupt_this_thread(int number) noexcept;

/// Sends the signal to the worker's thread. Only while the caller holds a hazard on the worker.
void send_interrupt(const worker& victim) noexcept;

}  // namespace tine::sched
