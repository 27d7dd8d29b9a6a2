// info: what oneTBB tells of the machine. Any thread may ask.
#pragma once

#include <oneapi/tbb/tine/split.hpp>

#include <tine/sched/pool_defaults.hpp>

#include <vector>

namespace tbb {
namespace detail {
namespace on_tine {

using numa_node_id = int;
using core_type_id = int;

/// Wishes for an arena; -1 leaves the choice to tine. tine places the workers of a pool on the cores of the machine
/// itself, so there is one NUMA node and one type of cores to ask for: -1. A `task_arena` refuses others.
struct constraints {
  constraints& set_numa_id(numa_node_id id) noexcept { return numa_id = id, *this; }
  constraints& set_max_concurrency(int most) noexcept { return max_concurrency = most, *this; }
  constraints& set_core_type(core_type_id id) noexcept { return core_type = id, *this; }
  constraints& set_max_threads_per_core(int most) noexcept { return max_threads_per_core = most, *this; }

  numa_node_id numa_id = -1;
  int max_concurrency = -1;
  core_type_id core_type = -1;
  int max_threads_per_core = -1;
};

/// Returns the NUMA nodes that constraints may name.
inline std::vector<numa_node_id> numa_nodes() { return {-1}; }
/// Returns the types of cores that constraints may name.
inline std::vector<core_type_id> core_types() { return {-1}; }
/// Returns the number of workers that a pool gets if the program doesn't say: TINE_NUM_THREADS, or the processors of
/// this process, within its quota.
inline int default_concurrency(numa_node_id = -1) {
  static const int workers = static_cast<int>(tine::defaults_of_this_process().workers);
  return workers;
}
inline int default_concurrency(const constraints& c) {
  return c.max_concurrency > 0 ? c.max_concurrency : default_concurrency();
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::core_type_id;
using detail::on_tine::numa_node_id;

namespace info {
using detail::on_tine::core_types;
using detail::on_tine::default_concurrency;
using detail::on_tine::numa_nodes;
}  // namespace info
}  // namespace v1
}  // namespace tbb
