// partial_sort, partial_sort_copy: the least items of a range, in order, at its front or in a copy.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/least_items.hpp>
#include <tine/detail/algo/least_positions.hpp>
#include <tine/detail/algo/monotone.hpp>
#include <tine/detail/algo/projected_less.hpp>
#include <tine/detail/algo/quicksort.hpp>
#include <tine/detail/algo/select_nth.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace tine {
namespace detail {

struct partial_sort_function {
  template <std::random_access_iterator It, std::sentinel_for<It> End, class Comp = std::ranges::less,
            class Proj = std::identity>
    requires std::sortable<It, Comp, Proj>
  It operator()(It first, It middle, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    using key = std::indirect_result_t<Proj&, It>;
    static_assert(check_callable<Comp, key, key>() && check_callable<Proj, std::iter_reference_t<It>>());
    constexpr std::uint64_t few = 16;  // below n / 16 steps in heaps, these take less time than partitions
    const std::uint64_t n = items_between(first, last), m = length_of(first, middle);
    const It end = nth_item(first, n);
    const projected_less less{std::move(comp), std::move(proj)};
    const auto begin = plain_iterator(first), wanted = plain_iterator(middle), stop = plain_iterator(end);
    if (m == 0) return end;
    if (m * static_cast<std::uint64_t>(64 - std::countl_zero(m)) <= n / few) {
      move_least_items(begin, m, n, less);
    } else {
      if (order_if_monotone<false>(begin, stop, less)) return end;
      if (m != n) select_nth(begin, wanted, stop, less);
    }
    sort_range(begin, wanted, less);
    return end;
  }
  template <std::ranges::random_access_range R, class Comp = std::ranges::less, class Proj = std::identity>
    requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
  std::ranges::borrowed_iterator_t<R> operator()(R&& r, std::ranges::iterator_t<R> middle, Comp comp = {},
                                                 Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::move(middle), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

struct partial_sort_copy_function {
  template <std::input_iterator It1, std::sentinel_for<It1> End1, std::random_access_iterator It2,
            std::sentinel_for<It2> End2, class Comp = std::ranges::less, class Proj1 = std::identity,
            class Proj2 = std::identity>
    requires std::indirectly_copyable<It1, It2> && std::sortable<It2, Comp, Proj2> &&
             std::indirect_strict_weak_order<Comp, std::projected<It1, Proj1>, std::projected<It2, Proj2>>
  std::ranges::partial_sort_copy_result<It1, It2> operator()(It1 first, End1 last, It2 out, End2 out_last,
                                                             Comp comp = {}, Proj1 proj1 = {}, Proj2 = {}) const {
    static_assert(check_iterators<It1, End1>() && check_iterators<It2, End2>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj1&, It1>, std::indirect_result_t<Proj1&, It1>>());
    const std::uint64_t n = items_between(first, last), most = std::min(n, items_between(out, out_last));
    const projected_less less{std::move(comp), std::move(proj1)};
    const auto less_at = [first, &less](std::uint64_t a, std::uint64_t b)
                             TINE_INLINED { return less(*nth_item(first, a), *nth_item(first, b)); };
    std::vector<std::uint64_t> least = least_positions(n, most, less_at);
    std::uint64_t* const positions = least.data();
    sort_range(positions, positions + most, less_at);
    for_each_chunk(most, [first, out, positions](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
      for (It2 to = nth_item(out, begin); begin != end; ++begin, ++to) *to = *nth_item(first, positions[begin]);
    });
    return {nth_item(first, n), nth_item(out, most)};
  }
  template <std::ranges::input_range R1, std::ranges::random_access_range R2, class Comp = std::ranges::less,
            class Proj1 = std::identity, class Proj2 = std::identity>
    requires std::indirectly_copyable<std::ranges::iterator_t<R1>, std::ranges::iterator_t<R2>> &&
             std::sortable<std::ranges::iterator_t<R2>, Comp, Proj2> &&
             std::indirect_strict_weak_order<Comp, std::projected<std::ranges::iterator_t<R1>, Proj1>,
                                             std::projected<std::ranges::iterator_t<R2>, Proj2>>
  std::ranges::partial_sort_copy_result<std::ranges::borrowed_iterator_t<R1>, std::ranges::borrowed_iterator_t<R2>>
  operator()(R1&& r, R2&& out, Comp comp = {}, Proj1 proj1 = {}, Proj2 proj2 = {}) const {
    static_assert(check_range<R1>() && check_range<R2>());
    auto ends = (*this)(std::ranges::begin(r), std::ranges::end(r), std::ranges::begin(out), std::ranges::end(out),
                        std::move(comp), std::move(proj1), std::move(proj2));
    return {std::move(ends.in), std::move(ends.out)};
  }
};

}  // namespace detail

/// Moves the `middle - first` least items in [first, last) to the front, sorted by `comp` on projections, possibly in
/// parallel, and returns the end. As `std::ranges::partial_sort`: the order of equal items, and of the items behind
/// `middle`, may differ from run to run.
///
///     tine::partial_sort(first, middle, last, comp = {}, proj = {})
///     tine::partial_sort(range, middle, comp = {}, proj = {})
///
/// With m = `middle - first`: work O(n + m log m) and span O(log^3 n) but for improbable inputs; no memory. Few least
/// items are found by heaps: O(n log m) at most, and O(m log m) for each stolen part, on one worker. `comp` and `proj`
/// are called as const, on several workers at once. If they throw, or the strand is stopped, all items are in the
/// range, in some order.
///
/// Source: a heap of the least items (as std::partial_sort), one for each part; otherwise quickselect (`nth_element`)
/// and quicksort (`sort`).
inline constexpr detail::partial_sort_function partial_sort{};

/// Copies the m least items of a range to the m places of another one, in order, possibly in parallel; all items if
/// there are at most m. Returns the ends of the range and of the copies. As `std::ranges::partial_sort_copy`: the order
/// and the choice of equal items may differ from run to run.
///
///     tine::partial_sort_copy(first, last, out, out_last, comp = {}, proj1 = {}, proj2 = {})
///     tine::partial_sort_copy(range, out, comp = {}, proj1 = {}, proj2 = {})
///
/// Work O(n log m); for each stolen part, and for the sort at the end, O(m log m) more. Memory for the positions of m
/// items for each stolen part. `comp` compares `proj1` of two items of the range; `proj2` is not called. They are
/// called as const, on several workers at once. Exceptions and stop requests are as in `par_for`; they leave any of the
/// copies in the output.
///
/// Source: a heap of the least items (as std::partial_sort_copy), one for each part.
inline constexpr detail::partial_sort_copy_function partial_sort_copy{};

}  // namespace tine
