// stable_sort: puts a range in order, and keeps the order of equal items.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/merge_sort.hpp>
#include <tine/detail/algo/monotone.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <functional>
#include <iterator>
#include <utility>

namespace tine {
namespace detail {

struct stable_sort_function {
  template <std::random_access_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
            class Proj = std::identity>
    requires std::sortable<It, Comp, Proj>
  It operator()(It first, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    using key = std::indirect_result_t<Proj&, It>;
    static_assert(check_callable<Comp, key, key>() && check_callable<Proj, std::iter_reference_t<It>>());
    const std::uint64_t n = items_between(first, last);
    const It end = nth_item(first, n);
    const projected_less less{std::move(comp), std::move(proj)};
    const auto begin = plain_iterator(first), stop = plain_iterator(end);
    if (n <= static_cast<std::uint64_t>(most_small_items<decltype(begin)>)) {
      small_sort(begin, stop, less);
    } else if (!order_if_monotone<true>(begin, stop, less)) {
      merge_sort(begin, stop, less);
    }
    return end;
  }
  template <std::ranges::random_access_range R, class Comp = std::ranges::less, class Proj = std::identity>
    requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

}  // namespace detail

/// Sorts the items in [first, last) by `comp` on their projections, possibly in parallel, and returns the end; equal
/// items keep their order. As `std::ranges::stable_sort`, but throws std::bad_alloc if there is no memory for as many
/// items.
///
///     tine::stable_sort(first, last, comp = {}, proj = {})
///     tine::stable_sort(range, comp = {}, proj = {})
///
/// Work O(n log n), span O(log^3 n), memory for n items, and for 2n flags if they are not trivially copyable. A range
/// that is in order, or in the reverse order, takes O(n) and no memory. `comp` and `proj` are called as const, on
/// several workers at once. If they throw, or the strand is stopped, all items are in the range, in some order.
///
/// Source: merge sort with parallel merges (Cormen et al., chapter 26); by co-ranking they start at any place of the
/// output (Siebert–Träff 2014).
inline constexpr detail::stable_sort_function stable_sort{};

}  // namespace tine
