// Interrupting a worker that does not come by a fork: the signal, and its handler.
//
// Rules of the handler (src/sched/README.md has the reasons): it runs on its victim's own thread; it returns at once if
// that thread is in the scheduler; it allocates nothing, locks nothing, keeps errno, and needs no more stack than its
// own alternate one.
#pragma once

#include "sched/worker.hpp"

namespace tine::sched {

/// Installs the handler of that signal; once per process and signal. Throws std::system_error.
void install_interrupt_handler(int signal);

/// A thief, before it sends the signal. Returns true if the program had installed another handler in the meantime and tine's is in
/// front of it again; it passes on what is not tine's. May be called by several at once.
bool take_handler_back(int signal) noexcept;

/// What became of a signal that has not been handled for long.
enum class signal_fate : unsigned char {
  pending,    ///< the victim's thread will handle it when it gets a processor
  lost,       ///< it has to be sent again
  prevented,  ///< the victim's thread has blocked it, or the program has installed too many handlers
};

/// A thief inquires, during a visit. `handled`: how many signals the victim had handled before the thief sent its own. `ran_ns`: the
/// victim's processor time at the first inquiry after a signal, which sets it; 0 before. Prints a message, once a process, when
/// signals are prevented.
signal_fate inquire(const worker& victim, std::uint64_t handled, std::uint64_t& ran_ns) noexcept;

/// The value that all our signals carry, sent ones and heartbeats: by it the handler tells them from others.
void* signal_mark() noexcept;

/// Interrupts the calling thread by a signal of ours, whose handler has returned when this does, unless the thread blocks it.
void interrupt_this_thread(int number) noexcept;

/// Signals the worker's thread. Only during a visit.
void send_interrupt(const worker& victim) noexcept;

}  // namespace tine::sched
