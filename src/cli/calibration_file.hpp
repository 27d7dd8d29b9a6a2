// What `tine calibrate` found out about this machine, in the file that the runtime reads when it profiles.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tine::cli {

/// What profiling adds, in nanoseconds.
struct profiling_cost {
  std::string_view analysis;  ///< `work`, `grain`, which includes it, or `space` or `trace`, which include that
  double fork, loop;
};

/// Nanoseconds. What is not known is not written, and the runtime takes its usual value.
struct calibration {
  std::optional<double> fork_burden;  ///< of a stolen fork: from the fork to the thief's first instruction, and back
  std::optional<double> fork_cost;    ///< of a fork that nobody steals
  std::vector<profiling_cost> profiling;
};

/// $TINE_CALIBRATION, else tine/calibration in $XDG_CONFIG_HOME or ~/.config.
std::string calibration_path();

/// The processor's name as /proc/cpuinfo has it; the file is only believed on a machine of the same name.
std::string machine_name();

/// The file's text: lines of `key = value`.
std::string text_of(const calibration& c);

}  // namespace tine::cli
