// Measures what forks cost on this machine: the one file here that forks, and so needs the runtime.
#pragma once

#include <optional>

namespace tine::cli {

/// Nanoseconds that a fork adds to two calls if nobody steals it: fib with and without forks, the shortest of many runs each.
double measure_fork_cost();

/// Nanoseconds that a profile of work and span adds to a fork, and to a loop of a few iterations, if nobody steals them.
double measure_profiled_fork_cost();
double measure_profiled_loop_cost();

/// Nanoseconds that it takes to have a fork stolen: from the fork to the thief's first instruction, and from the end of the
/// longer branch to what follows the join. The thief is idle for a
/// millisecond before, and so asleep. A quarter of the tries are shorter. Nothing if this process may use only one processor, or nobody steals.
std::optional<double> measure_fork_burden();

}  // namespace tine::cli
