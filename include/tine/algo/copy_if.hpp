// copy_if: the items that satisfy a predicate, also called pack or filter.
#pragma once

#include <tine/detail/algo/branchless.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/pack_chunks.hpp>

#include <algorithm>
#include <functional>
#include <memory>

namespace tine {
namespace detail {

/// The items of a copy_if.
template <class It, class Out, class Pred, class Proj>
struct copied_items {
  It first;
  Out out;
  Pred pred;
  Proj proj;

  template <class Item>
  TINE_ALWAYS_INLINE bool is_chosen(Item&& item) const {
    return static_cast<bool>(std::invoke(pred, std::invoke(proj, std::forward<Item>(item))));
  }

  TINE_ALWAYS_INLINE std::uint64_t copy(std::uint64_t begin, std::uint64_t end, std::uint64_t chosen) const {
    const Out from = nth_item(out, chosen);
    Out to = from;
    const auto branching = [&](std::uint64_t b, std::uint64_t e) TINE_INLINED { return copy_block(b, e, to); };
    if constexpr (branchless_items<It>) {
      const auto branchless = [&](std::uint64_t b, std::uint64_t e) TINE_INLINED { return stage_block(b, e, to); };
      branchless_blocks(begin, end, branching, branchless);
    } else {
      branching(begin, end);
    }
    return chosen + static_cast<std::uint64_t>(to - from);
  }

  TINE_ALWAYS_INLINE std::uint64_t test(std::uint64_t begin, unsigned count) const {
    std::uint64_t bits = 0;
    It i = nth_item(first, begin);
    for (unsigned k = 0; k != count; ++k, ++i) bits |= std::uint64_t{is_chosen(*i)} << k;
    return bits;
  }

  TINE_ALWAYS_INLINE void copy_marked(std::uint64_t begin, unsigned, std::uint64_t bits, std::uint64_t chosen) const {
    const It from = nth_item(first, begin);
    Out to = nth_item(out, chosen);
    if (bits == ~std::uint64_t{0}) {
      std::ranges::copy_n(from, 64, to);
      return;
    }
    for_each_bit(bits, [&](unsigned k) TINE_INLINED {
      *to = *nth_item(from, k);
      ++to;
    });
  }

 private:
  TINE_ALWAYS_INLINE std::uint64_t copy_block(std::uint64_t begin, std::uint64_t end, Out& out_end) const {
    const Out from = out_end;
    Out to = from;
    for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
      if (is_chosen(*i)) {
        *to = *i;
        ++to;
      }
    }
    out_end = to;
    return static_cast<std::uint64_t>(to - from);
  }

  /// Chooses items in an array of its own, because the output has no place for an item that is not chosen.
  TINE_ALWAYS_INLINE std::uint64_t stage_block(std::uint64_t begin, std::uint64_t end, Out& out_end) const {
    stage<std::iter_value_t<It>> chosen;
    std::size_t n = 0;
    auto* const items = std::to_address(nth_item(first, begin));
    const std::uint64_t count = end - begin;
    _Pragma("GCC unroll 4") for (std::uint64_t k = 0; k != count; ++k) {
      std::construct_at(chosen.items() + n, items[k]);
      n += static_cast<std::size_t>(is_chosen(items[k]));
    }
    out_end = std::ranges::copy_n(chosen.items(), static_cast<std::ptrdiff_t>(n), out_end).out;
    return n;
  }
};

}  // namespace detail

/// Copies the items in [first, last) for whose projection `pred` returns true, in order, possibly in parallel. As
/// `std::ranges::copy_if`. The output must have a place for each item that is copied, and for no more. It must not
/// overlap the input.
///
/// On one worker this is the sequential loop, in one pass; items that are trivially copyable and have at most 16 bytes
/// are chosen without a branch where the processor would mispredict it. For items that another worker takes, the
/// answers are kept first, a bit for each, and the items are copied as soon as the number of chosen items before them
/// is known. Work O(n), span O(log n), as long as blocks of some microseconds count as one. `pred` and `proj` are
/// called once for each item, as const, on several workers at once. Exceptions and stop requests are as in `par_for`:
/// the exception of the first item for which `pred` throws is rethrown; then the output is unspecified.
///
/// Source: a pack (Blelloch 1990) over the adaptive prefix of Traoré, Roch, Maillard, Gautier and Bernard (Euro-Par
/// 2008).
template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable Out, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
  requires std::indirectly_copyable<It, Out>
TINE_ALWAYS_INLINE std::ranges::copy_if_result<It, Out> copy_if(It first, End last, Out out, Pred pred,
                                                                Proj proj = {}) {
  static_assert(detail::check_iterators<It, End>() && detail::check_iterators<Out>());
  static_assert(detail::check_callable<Pred, std::indirect_result_t<Proj&, It>>());
  const std::uint64_t n = detail::items_between(first, last);
  const std::uint64_t chosen =
      detail::pack_chunks(n, detail::copied_items<It, Out, Pred, Proj>{first, out, pred, proj});
  return {detail::nth_item(first, n), detail::nth_item(out, chosen)};
}

/// As `copy_if(first, last, out, pred, proj)`, for a range.
template <std::ranges::input_range R, std::weakly_incrementable Out, class Proj = std::identity,
          std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
  requires std::indirectly_copyable<std::ranges::iterator_t<R>, Out>
TINE_ALWAYS_INLINE std::ranges::copy_if_result<std::ranges::borrowed_iterator_t<R>, Out> copy_if(R&& r, Out out,
                                                                                                 Pred pred,
                                                                                                 Proj proj = {}) {
  static_assert(detail::check_range<R>());
  return tine::copy_if(std::ranges::begin(r), std::ranges::end(r), std::move(out), std::move(pred), std::move(proj));
}

}  // namespace tine
