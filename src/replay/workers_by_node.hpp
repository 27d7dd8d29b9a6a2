// The assignment of recorded workers to the workers of a pool with other NUMA nodes.
#pragma once

#include <span>
#include <vector>

namespace tine::detail {

/// The workers and the NUMA nodes of a pool.
struct pool_nodes {
  std::span<const int> node_of;  ///< by the number of a worker; the numbers of the nodes mean nothing
  unsigned first;  ///< the worker that begins; as a number from `node_of.size()` on, a thread from outside the pool
};

/// Returns the worker of `pool` in the place of each of the `owners` recorded workers; those from
/// `recorded.node_of.size()` on were threads from outside. The recorded nodes come in the order of their number of
/// workers, the largest first. Each takes its place on a node of the pool that has enough workers left: on one that has
/// no other recorded node yet, if there is one, and on the one with the most workers left. If none has enough, the
/// recorded node is divided, and the largest part of it is on the node with the most workers left. No worker takes two
/// places before all have one, or three before all have two. Among equal nodes, `recorded.first` is on the node of
/// `pool.first`.
std::vector<unsigned> workers_by_node(const pool_nodes& recorded, unsigned owners, const pool_nodes& pool);

}  // namespace tine::detail
