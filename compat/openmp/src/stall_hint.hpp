// Says so when a team with more members than workers gets stuck. Threads that spin until others have written then keep
// the workers from these others, and the program would hang without a word. A child of fork(2) has no such hint. Any
// thread may use it.
#pragma once

#include <atomic>
#include <cstdint>

namespace tine::openmp::stall_hint {

inline std::atomic<unsigned> teams{0};        ///< with more members than workers, that are open
inline std::atomic<std::uint64_t> events{0};  ///< starts of members, barriers and ends in such teams
inline std::atomic<bool> has_watcher{false};  ///< a thread looks at both every few seconds

/// Starts the watcher. A process has one while it has such teams, and for a minute after the last.
[[gnu::noinline, gnu::cold]] void start_watcher() noexcept;

/// Lives as long as such a team. relaxed, all: only the watcher reads them, and later is early enough.
class open_team {
 public:
  open_team() noexcept {
    teams.fetch_add(1, std::memory_order_relaxed);
    if (!has_watcher.load(std::memory_order_relaxed)) start_watcher();
  }
  ~open_team() { teams.fetch_sub(1, std::memory_order_relaxed); }
  open_team(const open_team&) = delete;
  open_team& operator=(const open_team&) = delete;
};

inline void note_event() noexcept { events.fetch_add(1, std::memory_order_relaxed); }

}  // namespace tine::openmp::stall_hint
