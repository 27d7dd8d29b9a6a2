// What `tine calibrate` found out about this machine, in the file that the runtime reads when it profiles.
#pragma once

#include <optional>
#include <string>

namespace tine::cli {

/// Nanoseconds. What is not known is not written, and the runtime takes its usual value.
struct calibration {
  std::optional<double> fork_burden;  ///< of a stolen fork: from the fork to the thief's first instruction, and back
  std::optional<double> fork_cost;    ///< of a fork that nobody steals
  std::optional<double> profiled_fork_cost;  ///< what profiling adds to a fork
  std::optional<double> profiled_loop_cost;  ///< what profiling adds to a loop
};

/// $TINE_CALIBRATION, else tine/calibration in $XDG_CONFIG_HOME or ~/.config.
std::string calibration_path();

/// The processor's name as /proc/cpuinfo has it; the file is only believed on a machine of the same name.
std::string machine_name();

/// The file's text: lines of `key = value`.
std::string text_of(const calibration& c);

}  // namespace tine::cli
