// set_union, set_intersection, set_difference, set_symmetric_difference: the set operations on two sorted ranges.
#pragma once

#include <tine/detail/algo/run_set_operation.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace tine {
namespace detail {

/// Returns the ends that `std::ranges` returns: without that of the second range if the operation need not read it.
template <set_operation Operation, class It1, class It2, class Out>
TINE_ALWAYS_INLINE auto ends_of_set(It1 in1, It2 in2, Out out) {
  if constexpr (Operation.both || Operation.right_only) {
    return std::ranges::in_in_out_result<It1, It2, Out>{std::move(in1), std::move(in2), std::move(out)};
  } else {
    return std::ranges::in_out_result<It1, Out>{std::move(in1), std::move(out)};
  }
}

template <set_operation Operation>
struct set_function {
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::input_iterator It2, std::sentinel_for<It2> End2,
            std::weakly_incrementable Out, class Comp = std::ranges::less, class Proj1 = std::identity,
            class Proj2 = std::identity>
    requires std::mergeable<It1, It2, Out, Comp, Proj1, Proj2>
  TINE_ALWAYS_INLINE auto operator()(It1 first1, End1 last1, It2 first2, End2 last2, Out out, Comp comp = {},
                                     Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    auto ends =
        set_operation_between<Operation>(std::move(first1), std::move(last1), std::move(first2), std::move(last2),
                                         std::move(out), std::move(comp), std::move(proj1), std::move(proj2));
    return ends_of_set<Operation>(std::move(ends.in1), std::move(ends.in2), std::move(ends.out));
  }
  template <std::ranges::input_range R1, std::ranges::input_range R2, std::weakly_incrementable Out,
            class Comp = std::ranges::less, class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::mergeable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>, Out, Comp, Proj1, Proj2>
  TINE_ALWAYS_INLINE auto operator()(R1&& r1, R2&& r2, Out out, Comp comp = {}, Proj1 proj1 = {},
                                     Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    auto ends = set_operation_between<Operation>(std::ranges::begin(r1), std::ranges::end(r1), std::ranges::begin(r2),
                                                 std::ranges::end(r2), std::move(out), std::move(comp),
                                                 std::move(proj1), std::move(proj2));
    return ends_of_set<Operation, std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>>(
        std::move(ends.in1), std::move(ends.in2), std::move(ends.out));
  }
};

}  // namespace detail

/// Copies the items of two sorted ranges to `out`, in order, possibly in parallel. If an item is m times in the first
/// range and n times in the second one, it copies all m, and then the last max(n - m, 0) of those n. As
/// `std::ranges::set_union`. The output must not overlap the ranges.
///
///     tine::set_union(first1, last1, first2, last2, out, comp = {}, proj1 = {}, proj2 = {})
///     tine::set_union(range1, range2, out, comp = {}, proj1 = {}, proj2 = {})
///
/// Work O(n1 + n2), span O(log^2 (n1 + n2)). One worker writes all results at once, without memory. A worker that
/// starts in the middle doesn't know how many results precede its own, so it keeps them until it does: memory O(results
/// of stolen parts). `comp` is called at most twice for each item, and O(log n) times for each stolen part. Callables
/// are called as const, on several workers at once. Exceptions and stop requests are as in `par_for`; they leave any of
/// the results in the output.
///
/// Source: the sequential merge, split at its states by co-ranking (Siebert–Träff 2014).
inline constexpr detail::set_function<detail::union_of> set_union{};

/// Copies the items of the first sorted range that are in the second one, too: the first min(m, n) of those m. As
/// `std::ranges::set_intersection`; everything else is as in `set_union`.
///
///     tine::set_intersection(first1, last1, first2, last2, out, comp = {}, proj1 = {}, proj2 = {})
///     tine::set_intersection(range1, range2, out, comp = {}, proj1 = {}, proj2 = {})
inline constexpr detail::set_function<detail::intersection_of> set_intersection{};

/// Copies the items of the first sorted range that are not in the second one: the last max(m - n, 0) of those m. As
/// `std::ranges::set_difference`; everything else is as in `set_union`.
///
///     tine::set_difference(first1, last1, first2, last2, out, comp = {}, proj1 = {}, proj2 = {})
///     tine::set_difference(range1, range2, out, comp = {}, proj1 = {}, proj2 = {})
inline constexpr detail::set_function<detail::difference_of> set_difference{};

/// Copies the items that are in only one of two sorted ranges: the last |m - n| of those in the range that has more. As
/// `std::ranges::set_symmetric_difference`; everything else is as in `set_union`.
///
///     tine::set_symmetric_difference(first1, last1, first2, last2, out, comp = {}, proj1 = {}, proj2 = {})
///     tine::set_symmetric_difference(range1, range2, out, comp = {}, proj1 = {}, proj2 = {})
inline constexpr detail::set_function<detail::symmetric_difference_of> set_symmetric_difference{};

}  // namespace tine
