// The simulated speed-up, for the page: doublings of the number of workers, on a machine without distances.
#pragma once

#include "simulate/costs.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tine::report {

/// Speed-ups of the process over one worker. Each list has an entry for each number of workers.
struct simulation_view {
  std::vector<std::uint32_t> workers;
  std::vector<double> speed_up;     ///< simulated
  std::vector<double> low, high;    ///< of greedy schedules: work / (work / P + span), and work / max(work / P, span)
  std::vector<double> utilisation;  ///< the share of the work in the time of all workers
  bool is_calibrated = false;       ///< the costs of the scheduler were measured on this machine
};

/// Simulates the program of a profile. Returns nothing if the profile has no nodes or is too long to be simulated
/// quickly: in some seconds.
std::optional<simulation_view> view_of_simulation(const trace::profile& p, const simulate::costs& what,
                                                  bool is_calibrated);

}  // namespace tine::report
