// The costs that `tine calibrate` measured on this machine, and the file from which the runtime reads them when it
// profiles.
#pragma once

#include "simulate/costs.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tine::cli {

/// The time that profiling adds to a fork and to a loop, in nanoseconds.
struct profiling_cost {
  std::string_view analysis;  ///< a word of it; the costs include those of the analyses that it needs
  double fork, loop;
};

/// The cost of a step of the scheduler, for simulations.
struct step_cost {
  std::string_view name;  ///< of one of `simulate::named_costs`
  double value;
};

/// Costs in nanoseconds. An unknown cost is not written to the file, and the runtime takes its usual value.
struct calibration {
  std::optional<double> fork_burden;  ///< of a stolen fork: from the fork to the thief's first instruction, and back
  std::optional<double> fork_cost;    ///< of a fork that no worker steals
  std::vector<profiling_cost> profiling;
  std::vector<step_cost> steps;  ///< those that could be measured
};

/// Returns the file's path: $TINE_CALIBRATION, else tine/calibration in $XDG_CONFIG_HOME or ~/.config.
std::string calibration_path();

/// Returns the processor's name in /proc/cpuinfo. The runtime does not use a file with another name.
std::string machine_name();

/// Returns the file's text: lines of `key = value`.
std::string text_of(const calibration& c);

/// The costs of the scheduler's steps, and where they come from.
struct known_costs {
  simulate::costs what;
  std::vector<std::string_view>
      usual;  ///< names of the costs that are calibrated on other machines, but are usual values here
};

/// Returns the costs in the file. A cost that is not in it has its usual value, and so have all if there is no file, or
/// if another machine has written it.
known_costs read_costs();

}  // namespace tine::cli
