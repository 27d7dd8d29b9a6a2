// Measures the costs of forks on this machine. This is the one file of the command that forks, and so needs the
// runtime.
#pragma once

#include <optional>

namespace tine::cli {

/// Times of code that no worker steals, in this process, which may be profiled: nanoseconds, the shortest of many runs.
struct fork_times {
  double call;  ///< of a recursion without forks, divided by the number of forks of the recursion with forks
  double fork;  ///< of the recursion with forks, divided by the number of its forks
  double loop;  ///< of a loop of four iterations
};
fork_times measure_times();

/// Returns the nanoseconds that a stolen fork costs: from the fork to the thief's first instruction, and from the end
/// of the longer branch to the continuation of the join. The thief is idle for a millisecond before, and so asleep. A
/// quarter of the tries are shorter. Returns nothing if this process may use only one processor, or if too few tries
/// are stolen.
std::optional<double> measure_fork_burden();

/// Returns the nanoseconds that it takes to acknowledge a work request, to promote the fork's record, and to reclaim
/// it.
double measure_promotion();

/// Nanoseconds, of which a quarter of the tries are shorter. Nothing: as `measure_fork_burden`.
struct steal_times {
  std::optional<double> awake;   ///< from a fork to the first instruction of a thief that spins
  std::optional<double> asleep;  ///< from a fork to the first instruction of a thief that sleeps
  std::optional<double> resume;  ///< from the end of a stolen branch to the continuation of the join that waits for it
};
steal_times measure_steals();

}  // namespace tine::cli
