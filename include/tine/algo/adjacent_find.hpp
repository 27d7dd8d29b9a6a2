// adjacent_find: the first two neighbours that satisfy a predicate.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_found.hpp>

#include <functional>
#include <utility>

namespace tine {
namespace detail {

struct adjacent_find_function {
  template <
      std::forward_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
      std::indirect_binary_predicate<std::projected<It, Proj>, std::projected<It, Proj>> Pred = std::ranges::equal_to>
  TINE_ALWAYS_INLINE It operator()(It first, End last, Pred pred = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last), pairs = n == 0 ? 0 : n - 1;
    const std::uint64_t found = first_item_where(first, pairs, [pred, proj](const It& i) TINE_INLINED -> bool {
      return std::invoke(pred, std::invoke(proj, *i), std::invoke(proj, *(i + 1)));
    });
    return nth_item(first, found == pairs ? n : found);
  }
  template <std::ranges::forward_range R, class Proj = std::identity,
            std::indirect_binary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>,
                                           std::projected<std::ranges::iterator_t<R>, Proj>>
                Pred = std::ranges::equal_to>
  TINE_ALWAYS_INLINE std::ranges::borrowed_iterator_t<R> operator()(R&& r, Pred pred = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

}  // namespace detail

/// Returns an iterator to the first item for which `pred` is true with the next item, or the end. As
/// `std::ranges::adjacent_find`. No worker looks at items behind the result, once it has been found; workers that look
/// at some meanwhile stop at the ends of their chunks.
///
///     tine::adjacent_find(first, last, pred = {}, proj = {})
///     tine::adjacent_find(range, pred = {}, proj = {})
///
/// Work O(k) on one worker and O(n) at most, where k is the position of the result; span O(log n); no memory. `pred` is
/// called at most once for each pair of neighbours, and `proj` twice, as const, on several workers at once. Exceptions
/// and stop requests are as in `par_for`; an exception for a pair behind the result is dropped.
///
/// Source: a reduction that ends early.
inline constexpr detail::adjacent_find_function adjacent_find{};

}  // namespace tine
