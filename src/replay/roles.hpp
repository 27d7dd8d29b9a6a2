// The assignment of workers of the pool to the workers of a schedule.
#pragma once

#include "sched/pool_state.hpp"

#include <tine/replay/schedule.hpp>

namespace tine::detail {

class roles {
 public:
  /// `here` is the worker that begins the region, so it plays the owner of the schedule's root.
  roles(const sched::worker& here, const schedule& follow) noexcept
      : pool_{here.pool}, count_{std::max(here.pool.settings.workers, here.index + 1)}, first_{here.index} {
    const int root = follow.root().owner;
    root_ = root < 0 ? static_cast<int>(first_) : root;
  }

  unsigned count() const noexcept { return count_; }
  sched::worker& member(unsigned i) const noexcept { return pool_.member(i); }
  /// Returns the index of the worker that plays `owner`. The worker that begins and the owner of the root exchange their parts.
  /// Owners beyond the pool's workers are shared out among these workers.
  unsigned index_of(int owner) const noexcept {
    if (owner == root_) return first_;
    const auto o = static_cast<unsigned>(owner == static_cast<int>(first_) ? root_ : owner);
    return o < pool_.settings.workers ? o : o % pool_.settings.workers;
  }
  sched::worker& player_of(int owner) const noexcept { return member(index_of(owner)); }

 private:
  sched::pool_state& pool_;
  unsigned count_, first_;
  int root_;
};

}  // namespace tine::detail
