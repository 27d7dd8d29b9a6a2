// The assignment of workers of the pool to the workers of a schedule.
#pragma once

#include "sched/pool_state.hpp"

#include <tine/replay/schedule.hpp>

namespace tine::detail {

class worker_mapping {
 public:
  /// `here` is the worker that begins the region, so it takes the place of the owner of the schedule's root.
  worker_mapping(const sched::worker& here, const schedule& follow) noexcept
      : pool_{here.pool}, count_{std::max(here.pool.settings.workers, here.index + 1)}, first_{here.index} {
    const int root = follow.root().owner;
    root_ = root < 0 ? static_cast<int>(first_) : root;
  }

  unsigned count() const noexcept { return count_; }
  sched::worker& member(unsigned i) const noexcept { return pool_.member(i); }
  /// Returns the index of the worker in the place of `owner`. The worker that begins and the owner of the root exchange places.
  /// Owners beyond the pool's workers are shared out among these workers.
  unsigned index_of(int owner) const noexcept {
    if (owner == root_) return first_;
    const auto o = static_cast<unsigned>(owner == static_cast<int>(first_) ? root_ : owner);
    return o < pool_.settings.workers ? o : o % pool_.settings.workers;
  }
  sched::worker& worker_of(int owner) const noexcept { return member(index_of(owner)); }

 private:
  sched::pool_state& pool_;
  unsigned count_, first_;
  int root_;
};

}  // namespace tine::detail
