// The search for a run of items that satisfy a condition. Workers search subranges at the same time.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::detail {

/// A series of places at which a run may start. No run starts before `next`, and the items from there up to `tested`
/// all satisfy the condition.
struct run_series {
  std::uint64_t found;
  std::uint64_t next = no_position, tested = 0;
};

/// Returns the position of the first of `wanted` consecutive items, at least one, for which `holds(iterator)` is true;
/// `n` if there are none.
///
/// We test the last item of a possible run first, and go back from there. If one fails, no run starts up to it, so the
/// next `wanted` items begin behind it. We don't test those again that have satisfied the condition: each item is
/// tested once in a series.
template <class It, class Holds>
TINE_ALWAYS_INLINE std::uint64_t search_run(It first, std::uint64_t n, std::uint64_t wanted, Holds holds) {
  if (wanted > n) return n;
  return fold_chunks_until(
             n - wanted + 1, [n] { return run_series{n}; },
             [first, n, wanted, holds](run_series& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
               if (so_far.found != n) return;
               if (so_far.next == no_position) so_far.next = so_far.tested = begin;
               while (so_far.next < end) {
                 const std::uint64_t stop = so_far.next + wanted;
                 std::uint64_t at = stop;
                 It i = nth_item(first, stop);
                 while (at != so_far.tested && holds(--i)) --at;
                 if (at == so_far.tested) {
                   so_far.found = so_far.next;
                   return;
                 }
                 so_far.next = at;
                 so_far.tested = stop;
               }
             },
             [n](run_series& so_far, const run_series& later) {
               if (so_far.found == n) so_far = later;
             },
             [n](const run_series& so_far) { return so_far.found != n; })
      .found;
}

}  // namespace tine::detail
