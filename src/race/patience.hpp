// How long a strand that is checked may wait. Any thread may call this.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <cstdint>

namespace tine::detail {

/// Returns the number of seconds: TINE_RACE_PATIENCE, or 60.
unsigned patience() noexcept;

/// Starts the thread that watches the checked strand, unless the process has one. If the strand waits for longer than
/// our patience, that thread ends the process with a message. Don't call it under a lock.
void watch_waits() noexcept;

/// What the watching thread reads of the checked root. Other threads change it meanwhile.
struct check_progress {
  bool is_running;  ///< a root is checked, on the thread `thread`
  int thread;
  std::uint32_t strands;   ///< so far
  std::uint64_t accesses;  ///< so far, without those in `repeated`
  std::uint64_t repeated;  ///< atomic reads that a strand has repeated, and atomic operations that have changed nothing
  std::uintptr_t place;    ///< of the latest one
  bool operator==(const check_progress&) const = default;
};
check_progress progress_of_check() noexcept;

}  // namespace tine::detail
