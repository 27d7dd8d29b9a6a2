// What `tine calibrate` has measured on this machine.
#pragma once

#include <cstdint>

namespace tine::detail {

/// What profiling adds, in nanoseconds.
struct profiling_cost {
  double fork, loop;
};

struct calibration {
  bool is_measured = false;   ///< on this machine; else these are the usual values
  double fork_burden = 1500;  ///< nanoseconds, as the rest
  double fork_cost = 1.5;
  // with these analyses and those that they need
  profiling_cost work = {40, 35};
  profiling_cost grain = {120, 100};
  profiling_cost space = {300, 300};
  profiling_cost dag = {200, 200};

  /// With several. The last two need grain, and what they add to it adds up.
  profiling_cost of(std::uint32_t analyses) const noexcept;
};

/// Read once per process. Thread-safe.
const calibration& this_machine() noexcept;

}  // namespace tine::detail
