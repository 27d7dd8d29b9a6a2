// The costs that `tine calibrate` has measured on this machine. A plain value.
#pragma once

#include "trace/analyses.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tine::detail {

/// A cost for each entry of `trace::analyses`; there are at most as many entries as flags.
using costs_of_analyses = std::array<trace::profiling_cost, 32>;

inline costs_of_analyses usual_costs() noexcept {
  costs_of_analyses all{};
  for (std::size_t i = 0; i < trace::analyses.size(); ++i) all[i] = trace::analyses[i].usual_cost;
  return all;
}

struct calibration {
  bool is_measured = false;   ///< measured on this machine; otherwise these are typical values
  double fork_burden = 1500;  ///< in nanoseconds, like all members below
  double fork_cost = 1.5;
  costs_of_analyses costs = usual_costs();  ///< of each analysis together with those that it needs

  /// Returns the cost of several analyses: the sum of what each adds to those that it needs.
  trace::profiling_cost of(std::uint32_t analyses) const noexcept;
};

/// Returns the calibration, which we read once per process. Thread-safe.
const calibration& this_machine() noexcept;

}  // namespace tine::detail
