// The loop under min_element and max_element: the position of the first item that precedes all others.
#pragma once

#include <tine/detail/algo/best_in_block.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <functional>
#include <iterator>
#include <memory>
#include <utility>

namespace tine::detail {

/// Updates the position of the best item so far with the items from `begin` up to `end`.
template <plain_comparison Order, class It, class Precedes>
TINE_ALWAYS_INLINE void update_best(const It& first, std::uint64_t begin, std::uint64_t end, std::uint64_t& best,
                                    const Precedes& is_before) {
  if constexpr (Order != plain_comparison::none) {
    best = first_best<Order>(std::to_address(first), begin, end, best);
  } else {
    const It stop = nth_item(first, end);
    It so_far = nth_item(first, best);
    for (It i = nth_item(first, begin); i != stop; ++i) {
      if (is_before(i, so_far)) so_far = i;
    }
    best = items_between(first, so_far);
  }
}

/// Returns the position of the first of `n` items that no other one precedes; 0 if there are no items. `is_before(i,
/// j)` compares the items behind two iterators. If `Order` is not `none`, it is the same comparison, of numbers that
/// lie side by side.
template <plain_comparison Order, class It, class Precedes>
TINE_ALWAYS_INLINE std::uint64_t first_best_position(It first, std::uint64_t n, Precedes is_before) {
  // The result of a subrange is the position of its best item; n if there is none.
  return fold_chunks(
      n, [n] { return n; },
      [first, n, is_before](std::uint64_t& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
        if (begin == end) return;
        if (so_far == n) so_far = begin++;
        update_best<Order>(first, begin, end, so_far, is_before);
      },
      [first, n, is_before](std::uint64_t& so_far, std::uint64_t later) {
        if (later == n) return;
        if (so_far == n || is_before(nth_item(first, later), nth_item(first, so_far))) so_far = later;
      });
}

/// Returns the iterator to the first of the smallest items, or to the first of the largest ones.
template <bool Largest, class It, class End, class Comp, class Proj>
TINE_ALWAYS_INLINE It best_item(It first, End last, Comp comp, Proj proj) {
  static_assert(check_iterators<It, End>());
  static_assert(check_callable<Comp, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
  constexpr auto ascending = plain_comparison_of<It, Comp, Proj>();
  constexpr auto order = Largest ? opposite_of(ascending) : ascending;
  return nth_item(
      first, first_best_position<order>(
                 first, items_between(first, last), [comp, proj](const It& i, const It& j) TINE_INLINED {
                   const It &lesser = Largest ? j : i, &greater = Largest ? i : j;
                   return static_cast<bool>(std::invoke(comp, std::invoke(proj, *lesser), std::invoke(proj, *greater)));
                 }));
}

}  // namespace tine::detail
