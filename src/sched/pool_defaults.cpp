// The defaults of pools: processors, quotas of control groups, and TINE_NUM_THREADS. A pure function of those facts.
#include "sched/circumstances.hpp"

#include <tine/sched/options.hpp>

#include <algorithm>
#include <cmath>

namespace tine::sched {

pool_defaults defaults_under(const circumstances& c) {
  const unsigned most = std::clamp(c.processors, 1U, max_workers);
  // The clamp keeps the conversion in range, whatever a file says.
  const auto granted = c.quota ? static_cast<unsigned>(std::ceil(std::clamp(c.quota->processors, 1e-9, 1e6))) : most;
  const bool is_limited = limits(c.quota, c.processors);
  pool_defaults d{std::min(granted, most), !is_limited, {}, c.processors, c.numa_nodes, c.machine_processors, c.kinds};
  const std::string of_processors = std::to_string(c.processors) + (c.processors == 1 ? " processor" : " processors");
  if (c.asked != 0) {
    d.workers = c.asked;
    d.reason = "TINE_NUM_THREADS";
  } else if (is_limited) {
    d.reason = c.quota->source + " of " + of_processors;
  } else if (c.processors > max_workers) {
    d.reason = "a pool has at most " + std::to_string(max_workers) + " workers, of " + of_processors;
  } else if (c.processors < c.machine_processors) {
    d.reason = "the affinity mask of this process has " + of_processors + " of " + std::to_string(c.machine_processors);
  } else {
    d.reason = of_processors;
  }
  return d;
}

}  // namespace tine::sched
