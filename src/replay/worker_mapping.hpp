// Maps each worker of a schedule to the worker of the pool that takes its place. The mapping never changes, so all
// strands read it.
#pragma once

#include "sched/pool_state.hpp"

#include <tine/replay/schedule.hpp>

#include <vector>

namespace tine::detail {

/// Returns the NUMA node of each worker of the pool; empty if the system may move the workers to other processors.
std::vector<int> numa_nodes_of(const sched::pool_state& pool);

class worker_mapping {
 public:
  /// `here` starts the region, so it takes the place of the owner of the schedule's root.
  worker_mapping(const sched::worker& here, const schedule& follow);

  /// Returns the worker that should start the region that follows this schedule, if the strand on `here` can go there.
  /// Null if there is none, because a thread from outside of the pool started the recorded region.
  static sched::worker* worker_to_begin(const sched::worker& here, const schedule& follow);

  unsigned count() const noexcept { return count_; }
  sched::worker& member(unsigned i) const noexcept { return pool_.member(i); }
  /// Returns the index of the worker in the place of `owner`. If the pool has the recorded NUMA nodes, or they are not
  /// known, that is the worker with the same number; owners beyond the pool's workers are shared out among these.
  /// Otherwise `workers_by_node` decides. The worker that starts and the one in the place of the root's owner exchange
  /// places.
  unsigned index_of(int owner) const noexcept;
  sched::worker& worker_of(int owner) const noexcept { return member(index_of(owner)); }

 private:
  sched::pool_state& pool_;
  unsigned count_, first_;
  int root_;
  std::vector<unsigned> by_node_;  ///< by recorded worker; empty: the nodes are equal or not known
};

}  // namespace tine::detail
