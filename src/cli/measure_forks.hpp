// Measures what forks cost on this machine: the one file here that forks, and so needs the runtime.
#pragma once

#include <optional>

namespace tine::cli {

/// What this process takes for what nobody steals, be it profiled or not: nanoseconds, the shortest of many runs.
struct fork_times {
  double call;  ///< of a recursion without forks, what there is of it for each fork
  double fork;  ///< of the same with forks
  double loop;  ///< of four iterations
};
fork_times measure_times();

/// Nanoseconds that it takes to have a fork stolen: from the fork to the thief's first instruction, and from the end of the
/// longer branch to what follows the join. The thief is idle for a
/// millisecond before, and so asleep. A quarter of the tries are shorter. Nothing if this process may use only one processor, or nobody steals.
std::optional<double> measure_fork_burden();

}  // namespace tine::cli
