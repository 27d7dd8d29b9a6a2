// The keeper writes the profile when a signal ends the process, and on request while the process runs. It is a thread
// of its own, because a signal handler may allocate nothing and take no lock.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>

namespace tine::detail {

/// The function that the keeper calls, on its thread.
struct kept_profile {
  /// Writes the profile. `signal` is the signal that ends the process, or 0 for a snapshot.
  void (*write)(trace::ending how, int signal) noexcept;
};

/// Starts the thread, and installs handlers for SIGTERM, SIGINT, SIGHUP and SIGABRT, unless the program ignores them,
/// and for `snapshot_signal`, unless the program handles it or it is 0. It is called once per process. `every` is the
/// number of nanoseconds between snapshots; 0: none. If `at_faults` is true, the thread also writes the profile when a
/// fault, such as SIGSEGV, or another signal that the program does not handle is about to end the process.
///
/// When a signal ends the process, the thread writes the profile, and then the signal has its former effect: it calls
/// the program's handler if there is one. If the process sends the signal to itself, like abort, the handler waits for
/// this, because the sender does not expect to continue. After `keeper_patience` seconds the signal has its effect
/// without a profile.
void start_keeper(kept_profile what, int snapshot_signal, std::uint64_t every, bool at_faults) noexcept;

inline constexpr int keeper_patience = 10;

/// Lets the thread write the profile now, and waits for it, at most `keeper_patience` seconds. Returns false if this
/// process has no keeper, as a child of vfork, which uses its parent's memory. Async-signal-safe.
bool write_by_keeper(trace::ending how, int signal) noexcept;

/// Called in a process that was forked from a process with a keeper: the forked process has no keeper.
void forget_keeper() noexcept;

}  // namespace tine::detail
