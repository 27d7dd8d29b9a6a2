// How long a strand that is checked may wait. Any thread may call this.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <cstdint>

namespace tine::detail {

/// Returns the number of seconds: TINE_RACE_PATIENCE, or 60.
unsigned patience() noexcept;

/// Starts a thread, unless the process has it. If a checked strand waits for longer than our patience, that thread ends
/// the process with a message. Don't call it under a lock.
void end_endless_waits() noexcept;

/// The state of the checked root, as that thread reads it. Other threads change it meanwhile.
struct check_progress {
  bool is_running;  ///< a root is checked, on the thread `thread`
  int thread;
  std::uint32_t strands;   ///< so far
  std::uint64_t accesses;  ///< so far, without those in `repeated`
  std::uint64_t repeated;  ///< atomic reads that a strand has repeated, and operations and looks that changed nothing
  std::uintptr_t place;    ///< of the latest one
  std::uintptr_t read_at;  ///< the place of a read that the strand has repeated while it was followed; 0: none
  bool operator==(const check_progress&) const = default;
};
check_progress progress_of_check() noexcept;

/// From now on the checked strand's reads are followed for a while.
void follow_reads() noexcept;

}  // namespace tine::detail
