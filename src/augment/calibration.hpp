// What `tine calibrate` has measured on this machine.
#pragma once

#include <cstdint>

namespace tine::detail {

struct calibration {
  bool is_measured = false;   ///< on this machine; else these are the usual values
  double fork_burden = 1500;  ///< nanoseconds, as the rest
  double fork_cost = 1.5;
  double profiled_fork_cost = 35;
  double profiled_loop_cost = 60;
};

/// Read once per process. Thread-safe.
const calibration& this_machine() noexcept;

}  // namespace tine::detail
