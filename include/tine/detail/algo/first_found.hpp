// The loops under the searches for a position: a subrange that has found one ends everything behind it. Workers search
// subranges at the same time.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_where.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::detail {

/// `look(begin, end)` returns a number from `begin` up to, but not including, `end`; `n` if it finds none there.
/// Returns the first number found from 0 up to `n`, or `n`.
template <class Look>
TINE_ALWAYS_INLINE std::uint64_t first_found(std::uint64_t n, Look look) {
  return fold_chunks_until(
      n, [n] { return n; },
      [n, look](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (so_far == n) so_far = look(begin, end);
      },
      [n](std::uint64_t& so_far, std::uint64_t later) {
        if (so_far == n) so_far = later;
      },
      [n](std::uint64_t so_far) { return so_far != n; });
}

/// As `first_found`, for the last number. The loop starts at the end.
template <class Look>
TINE_ALWAYS_INLINE std::uint64_t last_found(std::uint64_t n, Look look) {
  const std::uint64_t behind = first_found(n, [n, look](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    const std::uint64_t at = look(n - end, n - begin);
    return at == n ? n : n - 1 - at;
  });
  return behind == n ? n : n - 1 - behind;
}

/// Returns the position of the first of `n` items for which `holds(iterator)` is true, or `n`.
template <class It, class Holds>
TINE_ALWAYS_INLINE std::uint64_t first_item_where(It first, std::uint64_t n, Holds holds) {
  return first_found(n, [first, n, holds](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    const It start = nth_item(first, begin), stop = nth_item(first, end);
    const It i = first_where(start, stop, holds);
    return i == stop ? n : begin + items_between(start, i);
  });
}

/// As `first_item_where`, for the last item.
template <class It, class Holds>
TINE_ALWAYS_INLINE std::uint64_t last_item_where(It first, std::uint64_t n, Holds holds) {
  return last_found(n, [first, n, holds](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    for (It i = nth_item(first, end); end != begin; --end) {
      if (holds(--i)) return end - 1;
    }
    return n;
  });
}

}  // namespace tine::detail
