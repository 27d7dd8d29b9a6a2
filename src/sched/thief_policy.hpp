// How long a thief waits for what, and for how many thieves an owner promotes at once. Constants alone, which pools and
// `tine simulate` share.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tine::sched {

struct thief_policy {
  // In microseconds:
  static constexpr double spin = 100;       ///< a thief looks in vain for so long before it sleeps
  static constexpr double join_spin = 2;    ///< a strand waits so long for a stolen task before it is suspended
  static constexpr double patience = 25;    ///< from a work request to the signal
  static constexpr double request_gap = 2;  ///< between two work requests of a thief, at first

  /// Returns among how many takers an owner divides what it promotes for one thief, if `unmet` others wait for work.
  static constexpr unsigned takers(std::int64_t unmet) noexcept {
    return static_cast<unsigned>(std::clamp<std::int64_t>(unmet, 0, 7)) + 1;
  }
};

}  // namespace tine::sched
