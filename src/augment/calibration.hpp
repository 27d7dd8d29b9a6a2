// The costs that `tine calibrate` has measured on this machine.
#pragma once

#include <cstdint>

namespace tine::detail {

/// The cost that profiling adds to a fork and to a loop, in nanoseconds.
struct profiling_cost {
  double fork, loop;
};

struct calibration {
  bool is_measured = false;   ///< true if measured on this machine; otherwise these are the usual values
  double fork_burden = 1500;  ///< in nanoseconds, like all members below
  double fork_cost = 1.5;
  // The costs with each of these analyses and the analyses that it needs.
  profiling_cost work = {40, 35};
  profiling_cost grain = {120, 100};
  profiling_cost space = {300, 300};
  profiling_cost dag = {200, 200};

  /// Returns the cost with several analyses. `space` and `dag` need `grain`; the costs that they add to that of `grain` add up.
  profiling_cost of(std::uint32_t analyses) const noexcept;
};

/// Returns the calibration, which is read once per process. Thread-safe.
const calibration& this_machine() noexcept;

}  // namespace tine::detail
