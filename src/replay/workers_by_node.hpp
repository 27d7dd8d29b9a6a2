// The assignment of recorded workers to the workers of a pool with other NUMA nodes. A plain function of values.
#pragma once

#include <span>
#include <vector>

namespace tine::detail {

/// The workers and the NUMA nodes of a pool.
struct pool_nodes {
  std::span<const int> node_of;  ///< by worker number; the numbers of the nodes mean nothing
  unsigned first;                ///< the worker that starts; from `node_of.size()` on, a thread from outside the pool
};

/// Returns the worker of `pool` in the place of each of the `owners` recorded workers; those from
/// `recorded.node_of.size()` on were threads from outside.
///
/// We place the recorded nodes in the order of their number of workers, largest first. Each goes to a node of the pool
/// with enough workers left: if possible to one without a recorded node, and to the one with the most workers left. If
/// none has enough, we divide the recorded node, and its largest part goes to the node with the most workers left. No
/// worker takes two places before all have one, or three before all have two. Among equal nodes, `recorded.first` is on
/// the node of `pool.first`.
std::vector<unsigned> workers_by_node(const pool_nodes& recorded, unsigned owners, const pool_nodes& pool);

}  // namespace tine::detail
