// partition, is_partitioned: the items that satisfy a predicate before all others.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/first_where.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/partition_range.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <functional>
#include <iterator>
#include <utility>

namespace tine {
namespace detail {

struct partition_function {
  template <std::permutable It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
  std::ranges::subrange<It> operator()(It first, End last, Pred pred, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    const auto holds = [kept_pred = kept_callable{pred}, kept_proj = kept_callable{proj}](auto&& item) TINE_INLINED {
      return static_cast<bool>(
          std::invoke(kept_pred.call, std::invoke(kept_proj.call, std::forward<decltype(item)>(item))));
    };
    const auto begin = plain_iterator(first);
    const auto middle = partition_range(begin, nth_item(begin, n), holds, true).middle;
    return {first + (middle - begin), nth_item(first, n)};
  }
  template <std::ranges::forward_range R, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
    requires std::permutable<std::ranges::iterator_t<R>>
  std::ranges::borrowed_subrange_t<R> operator()(R&& r, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

/// The answers of the predicate in a series of items. If it isn't `partitioned`, nothing else matters.
struct partition_answers {
  bool has_items = false, first = true, last = true, partitioned = true;
};

struct is_partitioned_function {
  template <std::input_iterator It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
  TINE_ALWAYS_INLINE bool operator()(It first, End last, Pred pred, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    return fold_chunks_until(
               items_between(first, last), [] { return partition_answers{}; },
               [first, pred, proj](partition_answers& so_far, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
                 if (!so_far.partitioned || begin == end) return;
                 const auto answers = [&](bool wanted) {
                   return [&, wanted](const It& i) TINE_INLINED {
                     return static_cast<bool>(std::invoke(pred, std::invoke(proj, *i))) == wanted;
                   };
                 };
                 const It start = nth_item(first, begin), stop = nth_item(first, end);
                 const It i = so_far.last ? first_where(start, stop, answers(false)) : start;
                 if (!so_far.has_items) so_far.first = i != start;
                 so_far.has_items = true;
                 if (i == stop) return;
                 const It next = so_far.last ? i + 1 : i;  // the answer for the item at `i` is known
                 so_far.last = false;
                 so_far.partitioned = first_where(next, stop, answers(true)) == stop;
               },
               [](partition_answers& so_far, const partition_answers& later) {
                 if (!so_far.has_items) {
                   so_far = later;
                 } else if (later.has_items) {
                   so_far.partitioned = so_far.partitioned && later.partitioned && (so_far.last || !later.first);
                   so_far.last = later.last;
                 }
               },
               [](const partition_answers& so_far) { return !so_far.partitioned; })
        .partitioned;
  }
  template <std::ranges::input_range R, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
  TINE_ALWAYS_INLINE bool operator()(R&& r, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

}  // namespace detail

/// Moves the items in [first, last) whose projection satisfies `pred` before all others, possibly in parallel, and
/// returns the subrange of the others. As `std::ranges::partition`: the order of both parts may differ from run to run.
///
///     tine::partition(first, last, pred, proj = {})
///     tine::partition(range, pred, proj = {})
///
/// Work O(n), span O(log^2 n), no memory. `pred` and `proj` are called as const, on several workers at once: once for
/// each item, and again for a few of them in every chunk. If they throw, or the strand is stopped, all items are in the
/// range, in some order.
///
/// Source: Lomuto's scheme without branches for cheap items; for others, partitions in blocks from both ends
/// (Edelkamp–Weiss 2016), with two zones for each worker (Francis–Pannan 1992).
inline constexpr detail::partition_function partition{};

/// Returns true if no item whose projection satisfies `pred` comes behind one that doesn't. As
/// `std::ranges::is_partitioned`. The first item that settles the answer ends the search: on all workers at the ends of
/// their chunks, and on one worker at once.
///
///     tine::is_partitioned(first, last, pred, proj = {})
///     tine::is_partitioned(range, pred, proj = {})
///
/// Work O(k) on one worker and O(n) at most, where k is the position of that item; span O(log n); no memory. `pred` and
/// `proj` are called at most once for each item, as const, on several workers at once. Exceptions and stop requests are
/// as in `par_for`; an exception behind a part that is not partitioned is dropped.
///
/// Source: a reduction that ends early.
inline constexpr detail::is_partitioned_function is_partitioned{};

}  // namespace tine
