// The defaults of a pool: how many workers it gets if the program doesn't say, and why. Plain values, which any thread
// may ask for.
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
  /// How many of `processors` are cores of each kind, the fastest kind first; workers take them in this order. One
  /// number if all cores are alike or the system doesn't tell.
  std::vector<unsigned> kinds;
};

/// Returns what a pool made now would get: the value of TINE_NUM_THREADS, if it is set. Otherwise it gets one worker
/// for each processor that this process may use, but no more than its control groups grant time for. (That is the quota
/// divided by the period, rounded up, of the group around the process that grants least.) Thread-safe. The first call
/// takes milliseconds, later ones some dozen microseconds. Throws std::invalid_argument if TINE_NUM_THREADS isn't a
/// number of workers.
TINE_API pool_defaults defaults_of_this_process();

}  // namespace tine
