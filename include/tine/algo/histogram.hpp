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

/// Returns the number of items in [first, last) for each projection from 0 up to, but not including, `bins`, counted
/// possibly in parallel. The projection is an integer. The standard library has no such algorithm.
///
///     const std::vector<std::size_t> ages = tine::histogram(persons, 150, &person::age);
///
/// Work O(n + bins) and O(bins) for each worker that takes a part of the range, span O(log n + bins), memory O(bins)
/// for each such worker, which counts in a table of its own; the bins of a very short part are kept in a list instead.
/// `proj` is called once for each item, as const, on several workers at once. Exceptions and stop requests are as in
/// `par_for`; a projection outside of the bins throws `std::out_of_range`.
///
/// Source: a reduction (Blelloch 1990).
template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity>
  requires std::integral<std::remove_cvref_t<std::indirect_result_t<Proj&, It>>>
TINE_ALWAYS_INLINE std::vector<std::size_t> histogram(It first, End last, std::size_t bins, Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>());
  static_assert(detail::check_callable<Proj, std::iter_reference_t<It>>());
  detail::bin_tables tables{bins};
  detail::fold_chunks(
      detail::items_between(first, last), [] { return detail::bin_series{}; },
      [first, proj, &tables](detail::bin_series& so_far, std::uint64_t begin, std::uint64_t end)
          TINE_INLINED { so_far.add_items(detail::nth_item(first, begin), begin, end - begin, tables, proj); },
      [&tables](detail::bin_series& so_far, detail::bin_series&& later) { so_far.add(std::move(later), tables); });
  return std::move(tables).sum();
}

/// As `histogram(first, last, bins, proj)`, for a range.
template <std::ranges::input_range R, class Proj = std::identity>
  requires std::integral<std::remove_cvref_t<std::indirect_result_t<Proj&, std::ranges::iterator_t<R>>>>
TINE_ALWAYS_INLINE std::vector<std::size_t> histogram(R&& r, std::size_t bins, Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::histogram(std::ranges::begin(r), std::ranges::end(r), bins, std::move(proj));
}

}  // namespace tine
