// The search in a chunk for the first item that satisfies a condition.
#pragma once

#include <tine/detail/base/macros.hpp>

namespace tine::detail {

/// Returns the first iterator in [i, stop) for which `holds(iterator)` returns true, or `stop`. The loop is unrolled,
/// because compilers do not unroll loops with two exits, and the test for the end takes as long as a cheap condition.
template <class It, class Holds>
TINE_ALWAYS_INLINE It first_where(It i, const It& stop, const Holds& holds) {
  for (auto groups = (stop - i) / 8; groups != 0; --groups) {
    if (holds(i)) return i;
    if (holds(++i)) return i;
    if (holds(++i)) return i;
    if (holds(++i)) return i;
    if (holds(++i)) return i;
    if (holds(++i)) return i;
    if (holds(++i)) return i;
    if (holds(++i)) return i;
    ++i;
  }
  while (i != stop && !holds(i)) ++i;
  return i;
}

}  // namespace tine::detail
