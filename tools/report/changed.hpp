// The profile that a program would have after changes that were not made yet.
#pragma once

#include "report/part.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <vector>

namespace tine::report {

/// A change of all that runs below the instances of a site.
struct change {
  enum class kind : std::uint8_t {
    faster,      ///< its strands take a `factor`-th of their time
    parallel,    ///< its strands can all run at once: the work stays, and nothing of it is in the span
    unburdened,  ///< its forks are never stolen, or stealing them is free
    only,        ///< all that is not in `part` takes no time
  };
  kind is = kind::faster;
  std::uint32_t site = trace::nothing;  ///< index into the profile's sites
  double factor = 2;                    ///< above 0; of `faster` only
  report::part part = {};               ///< of `only`, instead of a site
};

/// Returns the profile after all of the changes. It differs in work and spans of roots, nodes and paths; counts, times
/// at which roots begin, and the time outside of roots stay as they are.
///
/// The strands below a site, or in a phase, are known exactly where the dag has nodes for them. In a leaf, which may be
/// a part of the program with many forks, it is the share that they have of the work of all strands with the same forks
/// above them. The lower bound of a span changes in proportion to the upper bound. The burden of a site is the share of
/// its nodes in those on the critical path.
///
/// `p` must have nodes. Linear in the size of the profile times the number of changes, except for look-ups.
trace::profile changed(const trace::profile& p, const std::vector<change>& changes);

}  // namespace tine::report
