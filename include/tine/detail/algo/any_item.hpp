// The search under any_of, all_of and none_of: is there an item for which the predicate has a certain answer? Workers
// search subranges at the same time.
#pragma once

#include <tine/detail/algo/any_chunk.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_where.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>
#include <functional>

namespace tine::detail {

/// Returns true if `pred` returns `Wanted` for the projection of at least one item.
template <bool Wanted, class It, class End, class Pred, class Proj>
TINE_ALWAYS_INLINE bool any_item(It first, End last, Pred pred, Proj proj) {
  static_assert(check_iterators<It, End>());
  static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
  return any_chunk(items_between(first, last),
                   [first, pred, proj](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
                     const It stop = nth_item(first, end);
                     return first_where(nth_item(first, begin), stop, [&](const It& i) TINE_INLINED -> bool {
                              return static_cast<bool>(std::invoke(pred, std::invoke(proj, *i))) == Wanted;
                            }) != stop;
                   });
}

}  // namespace tine::detail
