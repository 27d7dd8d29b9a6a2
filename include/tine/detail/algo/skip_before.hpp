// A search in a sorted range from a place that is probably close to the result. One worker searches.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <iterator>

namespace tine::detail {

/// Returns the first iterator in [i, stop) for which `is_before(iterator)` is false, or `stop`. The iterators before it
/// come first. Takes O(log d) calls for a distance d.
template <class It, class IsBefore>
TINE_ALWAYS_INLINE It skip_before(It i, It stop, const IsBefore& is_before) {
  for (std::iter_difference_t<It> step = 1; step < stop - i; step *= 2) {
    if (!is_before(i + (step - 1))) {
      stop = i + (step - 1);
      break;
    }
    i += step;
  }
  while (i != stop) {
    const It middle = i + (stop - i) / 2;
    if (is_before(middle)) {
      i = middle + 1;
    } else {
      stop = middle;
    }
  }
  return i;
}

}  // namespace tine::detail
