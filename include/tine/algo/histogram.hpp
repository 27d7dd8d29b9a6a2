// histogram: counts the items of each bin.
#pragma once

#include <tine/detail/algo/bin_tables.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace tine {
namespace detail {

struct histogram_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity>
    requires std::integral<std::remove_cvref_t<std::indirect_result_t<Proj&, It>>>
  TINE_ALWAYS_INLINE std::vector<std::size_t> operator()(It first, End last, std::size_t bins, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Proj, std::iter_reference_t<It>>());
    bin_tables tables{bins};
    fold_chunks(
        items_between(first, last), [] { return bin_series{}; },
        [first, proj, &tables](bin_series& so_far, std::uint64_t begin, std::uint64_t end)
            TINE_INLINED { so_far.add_items(nth_item(first, begin), begin, end - begin, tables, proj); },
        [&tables](bin_series& so_far, bin_series&& later) { so_far.add(std::move(later), tables); });
    return std::move(tables).sum();
  }
  template <std::ranges::input_range R, class Proj = std::identity>
    requires std::integral<std::remove_cvref_t<std::indirect_result_t<Proj&, std::ranges::iterator_t<R>>>>
  TINE_ALWAYS_INLINE std::vector<std::size_t> operator()(R&& r, std::size_t bins, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), bins, std::move(proj));
  }
};

}  // namespace detail

/// Counts, possibly in parallel, the items in [first, last) for each value of their projection from 0 up to, but not
/// including, `bins`. The projection is an integer. The standard library has no such algorithm.
///
///     tine::histogram(first, last, bins, proj = {})
///     tine::histogram(range, bins, proj = {})
///
///     const std::vector<std::size_t> ages = tine::histogram(persons, 150, &person::age);
///
/// Each worker that takes a part of the range counts in a table of its own; only the bins of a very short part are kept
/// in a list instead. So the work is O(n + bins), and O(bins) for each such worker, which also takes O(bins) memory;
/// the span is O(log n + bins). `proj` is called once for each item, as const, on several workers at once. Exceptions
/// and stop requests are as in `par_for`; a projection outside of the bins throws `std::out_of_range`.
///
/// Source: a reduction (Blelloch 1990).
inline constexpr detail::histogram_function histogram{};

}  // namespace tine
