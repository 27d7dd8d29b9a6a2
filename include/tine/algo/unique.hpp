// unique, unique_copy: drop all but the first item of each group of consecutive equal items, in place or in a copy.
#pragma once

#include <tine/detail/algo/branchless.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/compact_chunks.hpp>
#include <tine/detail/algo/copy_chosen.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace tine {
namespace detail {

/// The items of a unique.
template <class It, class Comp, class Proj>
struct unlike_items {
  It first;
  Comp comp;
  Proj proj;

  template <class Item>
  TINE_ALWAYS_INLINE bool are_equal(Item&& a, Item&& b) const {
    return static_cast<bool>(
        std::invoke(comp, std::invoke(proj, std::forward<Item>(a)), std::invoke(proj, std::forward<Item>(b))));
  }

  TINE_ALWAYS_INLINE void compact(compacted& so_far, std::uint64_t begin, std::uint64_t end) const {
    It i = nth_item(first, begin);
    const It stop = nth_item(first, end);
    if (so_far.kept == 0) {  // the first item of a series stays for now; `meet` compares it with the series before
      so_far.kept = 1;
      ++i;
    }
    const It from = nth_item(first, so_far.begin + so_far.kept - 1);
    It last_kept = from;
    if (i != stop && last_kept + 1 == i) {  // nothing has been dropped yet, and items must not be moved onto themselves
      while (i != stop && !are_equal(*last_kept, *i)) {
        ++last_kept;
        ++i;
      }
      if (i != stop) ++i;
    }
    const auto next = static_cast<std::uint64_t>(i - first);
    const auto branching = [&](std::uint64_t b, std::uint64_t e) TINE_INLINED { return move_block(b, e, last_kept); };
    if constexpr (branchless_items<It>) {
      const auto branchless = [&](std::uint64_t b, std::uint64_t e)
                                  TINE_INLINED { return copy_block(b, e, last_kept); };
      branchless_blocks(next, end, branching, branchless);
    } else {
      branching(next, end);
    }
    so_far.kept += static_cast<std::uint64_t>(last_kept - from);
  }

  void meet(const compacted& so_far, compacted& later) const {
    if (!are_equal(*nth_item(first, so_far.begin + so_far.kept - 1), *nth_item(first, later.begin))) return;
    ++later.begin;
    --later.kept;
  }

 private:
  TINE_ALWAYS_INLINE std::uint64_t move_block(std::uint64_t begin, std::uint64_t end, It& kept) const {
    const It from = kept;
    It last = from;
    for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
      if (!are_equal(*last, *i)) {
        ++last;
        *last = std::ranges::iter_move(i);
      }
    }
    kept = last;
    return static_cast<std::uint64_t>(last - from);
  }

  /// Copies each item behind the last kept one; if it does not stay, the next item overwrites it there. We compare each
  /// item with its neighbour, so that the comparison need not wait for the copies. The neighbour still has its value:
  /// nothing is copied to a place behind the item itself, and copies don't change their source.
  TINE_ALWAYS_INLINE std::uint64_t copy_block(std::uint64_t begin, std::uint64_t end, It& kept) const {
    auto* const from = std::to_address(kept) + 1;
    auto* to = from;
    auto* const items = std::to_address(nth_item(first, begin));
    const std::uint64_t count = end - begin;
    _Pragma("GCC unroll 4") for (std::uint64_t k = 0; k != count; ++k) {
      const bool is_kept = !are_equal(*(items + k - 1), items[k]);
      *to = items[k];
      to += static_cast<std::ptrdiff_t>(is_kept);
    }
    kept += static_cast<std::iter_difference_t<It>>(to - from);
    return static_cast<std::uint64_t>(to - from);
  }
};

struct unique_function {
  template <std::permutable It, std::sentinel_for<It> End, class Proj = std::identity,
            std::indirect_equivalence_relation<std::projected<It, Proj>> Comp = std::ranges::equal_to>
  TINE_ALWAYS_INLINE std::ranges::subrange<It> operator()(It first, End last, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_iterators<It, End>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    const std::uint64_t kept = compact_chunks(n, first, unlike_items<It, Comp, Proj>{first, comp, proj});
    return {nth_item(first, kept), nth_item(first, n)};
  }
  template <
      std::ranges::forward_range R, class Proj = std::identity,
      std::indirect_equivalence_relation<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::equal_to>
    requires std::permutable<std::ranges::iterator_t<R>>
  TINE_ALWAYS_INLINE std::ranges::borrowed_subrange_t<R> operator()(R&& r, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(comp), std::move(proj));
  }
};

struct unique_copy_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out,
            class Proj = std::identity,
            std::indirect_equivalence_relation<std::projected<It, Proj>> Comp = std::ranges::equal_to>
    requires std::indirectly_copyable<It, Out>
  TINE_ALWAYS_INLINE std::ranges::unique_copy_result<It, Out> operator()(It first, End last, Out out, Comp comp = {},
                                                                         Proj proj = {}) const {
    static_assert(check_iterators<It, End>() && check_iterators<Out>());
    static_assert(check_callable<Comp, std::indirect_result_t<Proj&, It>, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    if (n == 0) return {first, out};
    *out = *first;
    return copy_chosen(nth_item(first, 1), n - 1, nth_item(out, 1), [comp, proj](const auto& i) TINE_INLINED -> bool {
      return !std::invoke(comp, std::invoke(proj, *(i - 1)), std::invoke(proj, *i));
    });
  }
  template <
      std::ranges::input_range R, std::weakly_incrementable Out, class Proj = std::identity,
      std::indirect_equivalence_relation<std::projected<std::ranges::iterator_t<R>, Proj>> Comp = std::ranges::equal_to>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out>
  TINE_ALWAYS_INLINE std::ranges::unique_copy_result<std::ranges::borrowed_iterator_t<R>, Out> operator()(
      R&& r, Out out, Comp comp = {}, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(comp), std::move(proj));
  }
};

}  // namespace detail

/// Drops each item in [first, last) that equals the item before it, i.e. for which `comp` is true for both projections.
/// Moves all others to the front of the range, in order, possibly in parallel. Returns the rest of the range, whose
/// items have unspecified values. As `std::ranges::unique`; `comp` must be an equivalence relation, as there. (We
/// compare each item with its neighbour, or with an earlier item of the same group.)
///
///     tine::unique(first, last, comp = {}, proj = {})
///     tine::unique(range, comp = {}, proj = {})
///
/// `comp` is called once for each item but the first, as const, on several workers at once. Everything else is as in
/// `remove_if`: work O(n) on one worker, and memory for at most an eighth of the items, only if another worker takes
/// some. After an exception of `comp`, or a stop, all items that it would keep are in the range, as long as no
/// move throws.
///
/// Source: as `remove_if`.
inline constexpr detail::unique_function unique{};

/// Copies each item that does not equal the item before it, i.e. for which `comp` is false for both projections, in
/// order. As `std::ranges::unique_copy`; `comp` must be an equivalence relation, as there. (We compare each item with
/// its neighbour.)
///
///     tine::unique_copy(first, last, out, comp = {}, proj = {})
///     tine::unique_copy(range, out, comp = {}, proj = {})
///
/// `comp` is called once for each item but the first. Everything else is as in `copy_if`.
///
/// Source: as `copy_if`.
inline constexpr detail::unique_copy_function unique_copy{};

}  // namespace tine
