// merge: two sorted ranges become one.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/merge_in_loop.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace tine {
namespace detail {

struct merge_function {
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
            std::weakly_incrementable Out, class Comp = std::ranges::less, class Proj1 = std::identity,
            class Proj2 = std::identity>
    requires std::mergeable<It1, It2, Out, Comp, Proj1, Proj2>
  TINE_ALWAYS_INLINE std::ranges::merge_result<It1, It2, Out> operator()(It1 first1, End1 last1, It2 first2, End2 last2,
                                                                         Out out, Comp comp = {}, Proj1 proj1 = {},
                                                                         Proj2 proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>() && check_iterators<Out>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj2&, It2>>());
    const std::uint64_t n1 = items_between(first1, last1), n2 = items_between(first2, last2);
    const cross_order order{std::move(comp), std::move(proj1), std::move(proj2)};
    merge_in_loop(plain_input<It2>(first1), n1, plain_input<It1>(first2), n2, plain_iterator(out), order, copy_item{});
    return {nth_item(first1, n1), nth_item(first2, n2), nth_item(out, n1 + n2)};
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2, std::weakly_incrementable Out,
            class Comp = std::ranges::less, class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::mergeable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Out, Comp, Proj1, Proj2>
  TINE_ALWAYS_INLINE
      std::ranges::merge_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>, Out>
      operator()(R1&& r1, R2&& r2, Out out, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    return (*this)(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2), std::ranges::end(r2),
                   std::move(out), std::move(comp), std::move(proj1), std::move(proj2));
  }
};

}  // namespace detail

/// Copies the items of two sorted ranges to `out`, in order, possibly in parallel. Equal items of the first range come
/// first; items of one range keep their order. As `std::ranges::merge`. The output must not overlap the ranges.
///
///     tine::merge(first1, last1, first2, last2, out, comp = {}, proj1 = {}, proj2 = {})
///     tine::merge(range1, range2, out, comp = {}, proj1 = {}, proj2 = {})
///
/// Work O(n1 + n2), span O(log^2 (n1 + n2)), no memory. `comp` is called at most once for each item, and O(log n) times
/// for each stolen part; for cheap items also O(log n) times for each chunk. Callables are called as const, on several
/// workers at once. Exceptions and stop requests are as in `par_for`; they leave any of the items in the output.
///
/// Source: the sequential merge, split by co-ranking (Siebert–Träff 2014; also known as merge path).
inline constexpr detail::merge_function merge{};

}  // namespace tine
