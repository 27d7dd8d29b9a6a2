// Interrupting a worker that does not fork for long: the signal, and its handler.
//
// Rules of the handler (src/sched/README.md has the reasons): it runs on its victim's own thread; it returns at once if
// that thread is in the scheduler; it allocates nothing, locks nothing, keeps errno, and needs no more stack than its
// own alternate one.
#pragma once

#include "sched/worker.hpp"

namespace tine::sched {

/// Installs the handler of that signal, once per process and signal. Throws std::system_error.
void install_interrupt_handler(int signal);

/// A thief calls it before it sends the signal. Returns true if the program had installed another handler in the
/// meantime and this call has put a handler of tine's in front of it again, which passes on the signals that are not
/// tine's. Several threads may call it at once.
bool take_handler_back(int signal) noexcept;

/// The fate of a signal that has not been handled for long.
enum class signal_fate : unsigned char {
  pending,    ///< the victim's thread will handle it when it gets a processor
  lost,       ///< it has to be sent again
  prevented,  ///< the victim's thread has blocked it, or the program has installed too many handlers
};

/// Finds out the fate of a signal; a thief calls it while it holds a hazard on the victim. `handled`: the number of
/// signals that the victim had handled before the thief sent its own. `ran_ns`: the victim's processor time at the
/// first inquiry after a signal; that inquiry sets it, and it is 0 before. Prints a message, once per process, when
/// signals are prevented.
signal_fate inquire(const worker& victim, std::uint64_t handled, std::uint64_t& ran_ns) noexcept;

/// Returns the value that all signals of tine's carry, those of thieves and heartbeats: by it the handler recognises
/// them.
void* signal_mark() noexcept;

/// Interrupts the calling thread by a signal of tine's. The handler has returned when this function returns, unless the
/// thread blocks the signal.
void interrupt_this_thread(int number) noexcept;

/// Sends the signal to the worker's thread. Only while the caller holds a hazard on the worker.
void send_interrupt(const worker& victim) noexcept;

}  // namespace tine::sched
