// sort: puts a range in order.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/quicksort.hpp>

#include <functional>
#include <iterator>
#include <utility>

namespace tine {
namespace detail {

struct sort_function {
  template <std::random_access_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
            class Proj = std::identity>
    requires std::sortable<It, Comp, Proj>
  It operator()(It first, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    using key = std::indirect_result_t<Proj&, It>;
    static_assert(check_callable<Comp, key, key>() && check_callable<Proj, std::iter_reference_t<It>>());
    const It end = nth_item(first, items_between(first, last));
    const projected_less less{std::move(comp), std::move(proj)};
    sort_range(plain_iterator(first), plain_iterator(end), less);
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

/// Sorts the items in [first, last) by `comp` on their projections, possibly in parallel, and returns the end. As
/// `std::ranges::sort`: the order of equal items may differ from run to run.
///
///     tine::sort(first, last, comp = {}, proj = {})
///     tine::sort(range, comp = {}, proj = {})
///
/// Work O(n log n), no memory but the stack, and span O(log^3 n) but for improbable inputs. A range that is in order,
/// or in the reverse order, takes O(n). If a subrange's pivots are bad too often, one worker sorts it with a heap.
/// `comp` and `proj` are called as const, on several workers at once. If they throw, or the strand is stopped, all
/// items are in the range, in some order.
///
/// Source: quicksort with the pivots, the peeled equal keys and the broken patterns of pdqsort (Peters 2021), and
/// partitions without branches (Edelkamp–Weiss 2016).
inline constexpr detail::sort_function sort{};

}  // namespace tine
