// The facts that decide the default number of workers. Plain values.
#pragma once

#include "sched/cpu_quota.hpp"

#include <tine/sched/pool_defaults.hpp>

#include <optional>
#include <vector>

namespace tine::sched {

/// The facts about this process.
struct circumstances {
  unsigned processors;          ///< that the process may use
  unsigned numa_nodes;          ///< with such a processor
  unsigned machine_processors;  ///< of the machine; at least `processors`, unless the topology is a made-up one
  std::optional<cpu_quota> quota;
  unsigned asked = 0;                ///< the value of TINE_NUM_THREADS; 0: it is not set
  std::vector<unsigned> kinds = {};  ///< the processors of each kind of core, the fastest kind first
};

pool_defaults defaults_under(const circumstances& c);

}  // namespace tine::sched
