// remove_if, remove: drop the items that satisfy a predicate, or that equal a value, in place.
#pragma once

#include <tine/detail/algo/branchless.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/compact_chunks.hpp>
#include <tine/detail/algo/equal_to_value.hpp>

#include <algorithm>
#include <functional>
#include <memory>

namespace tine {
namespace detail {

/// The items of a remove_if.
template <class It, class Pred, class Proj>
struct filtered_items {
  It first;
  Pred pred;
  Proj proj;

  template <class Item>
  TINE_ALWAYS_INLINE bool stays(Item&& item) const {
    return !std::invoke(pred, std::invoke(proj, std::forward<Item>(item)));
  }

  TINE_ALWAYS_INLINE void compact(compacted& so_far, std::uint64_t begin, std::uint64_t end) const {
    const It from = nth_item(first, so_far.begin + so_far.kept), stop = nth_item(first, end);
    It to = from, i = nth_item(first, begin);
    if (to == i) {  // nothing has been dropped yet, and items must not be moved onto themselves
      while (i != stop && stays(*i)) ++i;
      to = i;
      if (i != stop) ++i;
    }
    const auto branching = [&](std::uint64_t b, std::uint64_t e) TINE_INLINED { return move_block(b, e, to); };
    const auto next = static_cast<std::uint64_t>(i - first);
    if constexpr (branchless_items<It>) {
      const auto branchless = [&](std::uint64_t b, std::uint64_t e) TINE_INLINED { return copy_block(b, e, to); };
      branchless_blocks(next, end, branching, branchless);
    } else {
      branching(next, end);
    }
    so_far.kept += static_cast<std::uint64_t>(to - from);
  }

  void meet(const compacted&, compacted&) const noexcept {}

 private:
  TINE_ALWAYS_INLINE std::uint64_t move_block(std::uint64_t begin, std::uint64_t end, It& kept_end) const {
    const It from = kept_end;
    It to = from;
    for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
      if (stays(*i)) {
        *to = std::ranges::iter_move(i);
        ++to;
      }
    }
    kept_end = to;
    return static_cast<std::uint64_t>(to - from);
  }

  /// Copies each item to the end of the kept ones; if it does not stay, the next item overwrites it there.
  TINE_ALWAYS_INLINE std::uint64_t copy_block(std::uint64_t begin, std::uint64_t end, It& kept_end) const {
    auto* const from = std::to_address(kept_end);
    auto* to = from;
    auto* const items = std::to_address(nth_item(first, begin));
    const std::uint64_t count = end - begin;
    _Pragma("GCC unroll 4") for (std::uint64_t k = 0; k != count; ++k) {
      const bool is_kept = stays(items[k]);
      *to = items[k];
      to += static_cast<std::ptrdiff_t>(is_kept);
    }
    kept_end += static_cast<std::iter_difference_t<It>>(to - from);
    return static_cast<std::uint64_t>(to - from);
  }
};

struct remove_if_function {
  template <std::permutable It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
  TINE_ALWAYS_INLINE std::ranges::subrange<It> operator()(It first, End last, Pred pred, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    const std::uint64_t kept = compact_chunks(n, first, filtered_items<It, Pred, Proj>{first, pred, proj});
    return {nth_item(first, kept), nth_item(first, n)};
  }
  template <std::ranges::forward_range R, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
    requires std::permutable<std::ranges::iterator_t<R>>
  TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R> operator()(R&& r, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(pred), std::move(proj));
  }
};

struct remove_function {
  template <std::permutable It, std::sentinel_for<It> End, class T, class Proj = std::identity>
    requires std::indirect_binary_predicate<std::ranges::equal_to, std::projected<It, Proj>, const T*>
  TINE_ALWAYS_INLINE std::ranges::subrange<It> operator()(It first, End last, const T& value, Proj proj = {}) const {
    return remove_if_function{}(std::move(first), std::move(last), equal_to_value<T>{value}, std::move(proj));
  }
  template <std::ranges::forward_range R, class T, class Proj = std::identity>
    requires std::permutable<std::ranges::iterator_t<R>> &&
             std::indirect_binary_predicate<std::ranges::equal_to, std::projected<std::ranges::iterator_t<R>, Proj>,
                                            const T*>
  TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R> operator()(R&& r, const T& value, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), value, std::move(proj));
  }
};

}  // namespace detail

/// Drops the items in [first, last) whose projection satisfies `pred`: moves all others to the front of the range, in
/// order, possibly in parallel. Returns the rest of the range, whose items have unspecified values. As
/// `std::ranges::remove_if`.
///
///     tine::remove_if(first, last, pred, proj = {})
///     tine::remove_if(range, pred, proj = {})
///
/// On one worker this is the sequential loop, without memory, and for cheap items without mispredicted branches, as in
/// `copy_if`. Other workers compact what they take; then its kept items are moved once more, in parallel. If these
/// moves overlap, they need memory for at most an eighth of the items. Work O(n) on one worker and O(n log P) at most
/// on P; span O(log n), as long as blocks of some microseconds count as one. `pred` and `proj` are called once for each
/// item, as const, on several workers at once. Exceptions and stop requests are as in `par_for`: the exception of the
/// first item for which `pred` throws is rethrown. All items that it would keep are in the range then, as long as no
/// move throws.
///
/// Source: a pack (Blelloch 1990) in place.
inline constexpr detail::remove_if_function remove_if{};

/// As `remove_if`, for the items whose projection is equal to `value`. As `std::ranges::remove`. `value` must not be an
/// item of the range.
///
///     tine::remove(first, last, value, proj = {})
///     tine::remove(range, value, proj = {})
inline constexpr detail::remove_function remove{};

}  // namespace tine
