// The rows of a profile for the roots that have ended. The profile's caps bound their number, and the profiler's lock
// guards them.
#pragma once

#include "augment/dag.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <vector>

namespace tine::detail {

class gathered {
 public:
  /// Adds a root. `ended` has all times in ticks, because they are rounded only once, after sums. `dag` is the node of
  /// the root's vertex; null if the dag is not profiled.
  void add(const trace::root& ended, dag_node* dag);

  /// Adds the rows to a profile, which has its sites already, with one row for the open roots. `open.count` is their
  /// number, and the times in `open` are in nanoseconds. Their work and forks are those of the paths less those of the
  /// roots that have ended.
  void write(trace::profile& into, const trace::root& open) const;

  /// Folds the nodes until their number is within the cap. Called before the rest of the profile is written.
  void fold_to_cap() noexcept;

  /// Drops all rows. Called in a process that was forked, because the rows belong to the other process.
  void forget() noexcept;

 private:
  void add_open(trace::profile& into, trace::root open) const;
  void merge_neighbours();
  void fold_to_threshold() noexcept;
  std::size_t nodes() const;

  std::vector<trace::root> roots_;  ///< in the order of their ends
  std::vector<dag_node*> dags_;     ///< one for each root, if the dag is profiled
  base::ticks folded_to_ = 0;
};

/// Returns one row for two roots; `b` ended after `a`.
trace::root merged(const trace::root& a, const trace::root& b) noexcept;

}  // namespace tine::detail
