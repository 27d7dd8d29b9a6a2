// The number of workers that a pool gets if the program does not say otherwise, and the reason.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <string>
#include <vector>

namespace tine {

/// The values of options that a program leaves out, and the facts about the machine behind them.
struct pool_defaults {
  unsigned workers;             ///< `options::workers` if the program leaves it out
  bool pinned;                  ///< false: a quota of processor time limits this process, so no worker is pinned
  std::string reason;           ///< of the number of workers, for people: "/sys/fs/cgroup/cpu.max 150000/100000"
  unsigned processors;          ///< the processors that this process may use
  unsigned numa_nodes;          ///< the NUMA nodes that hold one of them
  unsigned machine_processors;  ///< the processors of the machine that are online
  /// The number of `processors` of each kind of core, the fastest kind first, in which order workers take them; one
  /// number if all cores are alike or the system does not tell.
  std::vector<unsigned> kinds;
};

/// Returns what a pool that is made now would get: the value of TINE_NUM_THREADS, if it is set; otherwise one worker
/// for each processor that this process may use, but no more than the control groups of the process grant time for,
/// rounded up (their quota divided by the period, the least of all groups around the process). Thread-safe; takes
/// milliseconds in the first call, then some dozen microseconds. Throws std::invalid_argument if TINE_NUM_THREADS is no
/// number of workers.
TINE_API pool_defaults defaults_of_this_process();

}  // namespace tine
