// What roots leave behind when they end, as rows of a profile; bounded by its caps. The profiler's lock guards it.
#pragma once

#include "augment/dag.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <vector>

namespace tine::detail {

class gathered {
 public:
  /// `ended`: with all times in ticks, which are rounded only once, after sums. `dag`: what the root's vertex became; null if the dag is
  /// not profiled.
  void add(const trace::root& ended, dag_node* dag);

  /// Adds the rows to a profile whose sites are there already, together with a row for what is open: `open.count` roots, whose times
  /// are nanoseconds, and whose work
  /// and forks are what the paths have beyond the roots that have ended.
  void write(trace::profile& into, const trace::root& open) const;

  /// Before the rest of the profile is written: folds the nodes until they are within the cap.
  void fold_to_cap() noexcept;

  /// In a process that was forked: what the other one has done is not this one's.
  void forget() noexcept;

 private:
  void add_open(trace::profile& into, trace::root open) const;
  void merge_neighbours();
  void fold_to_threshold() noexcept;
  std::size_t nodes() const;

  std::vector<trace::root> roots_;  ///< in the order of their ends
  std::vector<dag_node*> dags_;     ///< one for each of them, if the dag is profiled
  base::ticks folded_to_ = 0;
};

/// One row for two roots, of which the second ended later.
trace::root merged(const trace::root& a, const trace::root& b) noexcept;

}  // namespace tine::detail
