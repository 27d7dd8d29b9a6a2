// The assignment of workers of the pool to the workers of a schedule.
#pragma once

#include "sched/pool_state.hpp"

#include <tine/replay/schedule.hpp>

#include <vector>

namespace tine::detail {

/// Returns the NUMA node of each worker of the pool; nothing if the system may move the workers to other processors.
std::vector<int> numa_nodes_of(const sched::pool_state& pool);

class worker_mapping {
 public:
  /// `here` is the worker that begins the region, so it takes the place of the owner of the schedule's root.
  worker_mapping(const sched::worker& here, const schedule& follow);

  /// Returns the worker that should begin the region that follows this schedule, if the running strand on `here` can go
  /// there; null: there is none, because a thread from outside of the pool has begun the recorded region.
  static sched::worker* worker_to_begin(const sched::worker& here, const schedule& follow);

  unsigned count() const noexcept { return count_; }
  sched::worker& member(unsigned i) const noexcept { return pool_.member(i); }
  /// Returns the index of the worker in the place of `owner`. If the pool has the recorded NUMA nodes, or they are not
  /// known, this is the worker with the same number, and owners beyond the pool's workers are shared out among these
  /// workers; if not, `workers_by_node` says it. The worker that begins and the worker in the place of the owner of the
  /// root exchange places.
  unsigned index_of(int owner) const noexcept;
  sched::worker& worker_of(int owner) const noexcept { return member(index_of(owner)); }

 private:
  sched::pool_state& pool_;
  unsigned count_, first_;
  int root_;
  std::vector<unsigned> by_node_;  ///< by the recorded worker; empty: the nodes are equal or not known
};

}  // namespace tine::detail
