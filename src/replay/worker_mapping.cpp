// Maps the workers of a schedule to those of the pool. Fixed once the region has started, then read by all strands.
#include "replay/worker_mapping.hpp"

#include "replay/workers_by_node.hpp"

#include <algorithm>

namespace tine::detail {

std::vector<int> numa_nodes_of(const sched::pool_state& pool) {
  if (pool.settings.pin != affinity::pinned || pool.crowded) return {};
  std::vector<int> nodes(pool.settings.workers);
  for (unsigned i = 0; i < nodes.size(); ++i) nodes[i] = pool.member(i).where.numa_node;
  return nodes;
}

namespace {

std::vector<unsigned> matched_by_node(const sched::worker& here, const schedule& follow) {
  if (follow.numa_nodes().empty()) return {};
  const std::vector<int> nodes = numa_nodes_of(here.pool);
  if (nodes.empty() || nodes == follow.numa_nodes()) return {};
  return workers_by_node({follow.numa_nodes(), static_cast<unsigned>(follow.root().owner)}, follow.workers(),
                         {nodes, here.index});
}

}  // namespace

worker_mapping::worker_mapping(const sched::worker& here, const schedule& follow)
    : pool_{here.pool},
      count_{std::max(here.pool.settings.workers, here.index + 1)},
      first_{here.index},
      root_{follow.root().owner},
      by_node_{matched_by_node(here, follow)} {
  if (by_node_.empty()) return;
  unsigned& of_root = by_node_[static_cast<std::size_t>(root_)];
  const unsigned before = of_root;
  if (first_ >= here.pool.settings.workers) {
    of_root = first_;
    return;
  }
  for (unsigned& w : by_node_) w = w == before ? first_ : w == first_ ? before : w;
}

sched::worker* worker_mapping::worker_to_begin(const sched::worker& here, const schedule& follow) {
  const auto owner = static_cast<unsigned>(follow.root().owner);
  const std::vector<unsigned> by_node = matched_by_node(here, follow);
  if (by_node.empty()) return owner < here.pool.settings.workers ? &here.pool.member(owner) : nullptr;
  return owner < follow.numa_nodes().size() ? &here.pool.member(by_node[owner]) : nullptr;
}

unsigned worker_mapping::index_of(int owner) const noexcept {
  if (!by_node_.empty()) return by_node_[static_cast<std::size_t>(owner)];
  if (owner == root_) return first_;
  const auto o = static_cast<unsigned>(owner == static_cast<int>(first_) ? root_ : owner);
  return o < pool_.settings.workers ? o : o % pool_.settings.workers;
}

}  // namespace tine::detail
