// inplace_merge: two adjacent sorted runs become one.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/merge_in_place.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct inplace_merge_function {
  template <std::bidirectional_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
            class Proj = std::identity>
    requires std::sortable<It, Comp, Proj>
  It operator()(It first, It middle, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    using key = std::indirect_result_t<Proj&, It>;
    static_assert(check_callable<Comp, key, key>() && check_callable<Proj, std::iter_reference_t<It>>());
    const It end = nth_item(first, items_between(first, last));
    merge_in_place(plain_iterator(first), plain_iterator(middle), plain_iterator(end),
                   projected_less{std::move(comp), std::move(proj)});
    return end;
  }
  template <std::ranges::bidirectional_range R, class Comp = std::ranges::less, class Proj = std::identity>
    requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, std::ranges::iterator_t<R> middle, Comp comp = {},
                                                 Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::move(middle), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

}  // namespace detail

/// Merges the sorted runs [first, middle) and [middle, last) in their place, possibly in parallel, and returns the end.
/// Equal items of the first run come first; items of one run keep their order. As `std::ranges::inplace_merge`, but
/// throws std::bad_alloc if there is no memory.
///
///     tine::inplace_merge(first, middle, last, comp = {}, proj = {})
///     tine::inplace_merge(range, middle, comp = {}, proj = {})
///
/// Work O(n), span O(log^2 n), memory for n items, and for 2n flags if they are not trivially copyable. Items at both
/// ends that are in their places take none, and are found by O(log n) comparisons. `comp` and `proj` are called as
/// const, on several workers at once. If they throw, or the strand is stopped, all items are in the range, in some
/// order.
///
/// Source: as `merge`, from a buffer.
inline constexpr detail::inplace_merge_function inplace_merge{};

}  // namespace tine
