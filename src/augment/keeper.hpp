// Writes the profile when the process is being ended by a signal, and while it runs on request. A thread of its own does it: a
// signal handler may allocate nothing and take no lock.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>

namespace tine::detail {

/// What the keeper calls, on its thread.
struct kept_profile {
  /// `signal`: the one that ends the process, 0 for a snapshot.
  void (*write)(trace::ending how, int signal) noexcept;
};

/// Starts the thread, and installs handlers for SIGTERM, SIGINT, SIGHUP and SIGABRT, unless the program ignores them, and for
/// `snapshot_signal`, unless the program handles it or it is 0. Once per process; `every`: nanoseconds between snapshots, 0: none.
///
/// A signal that ends the process: the thread writes the profile, and then the signal has the effect that it had before, on the
/// program's handler if there is one. A signal that the process sends to itself, as abort does, waits in its handler for that,
/// because its sender does not expect to continue. After `keeper_patience` seconds the effect comes without a profile.
void start_keeper(kept_profile what, int snapshot_signal, std::uint64_t every) noexcept;

inline constexpr int keeper_patience = 10;

/// In a process that was forked from one with a keeper: it has none.
void forget_keeper() noexcept;

}  // namespace tine::detail
