// partition_copy: copies the items that satisfy a predicate to one range, and the others to another one.
#pragma once

#include <tine/detail/algo/branchless.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/pack_chunks.hpp>

#include <algorithm>
#include <functional>
#include <memory>

namespace tine {
namespace detail {

/// The items of a partition_copy.
template <class It, class OutTrue, class OutFalse, class Pred, class Proj>
struct parted_items {
  It first;
  OutTrue out_true;
  OutFalse out_false;
  Pred pred;
  Proj proj;

  template <class Item>
  TINE_ALWAYS_INLINE bool is_chosen(Item&& item) const {
    return static_cast<bool>(std::invoke(pred, std::invoke(proj, std::forward<Item>(item))));
  }

  TINE_ALWAYS_INLINE std::uint64_t copy(std::uint64_t begin, std::uint64_t end, std::uint64_t chosen) const {
    const OutTrue from = nth_item(out_true, chosen);
    OutTrue to = from;
    OutFalse other = nth_item(out_false, begin - chosen);
    const auto branching = [&](std::uint64_t b, std::uint64_t e) TINE_INLINED { return copy_block(b, e, to, other); };
    if constexpr (branchless_items<It>) {
      const auto branchless = [&](std::uint64_t b, std::uint64_t e)
                                  TINE_INLINED { return stage_block(b, e, to, other); };
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

  TINE_ALWAYS_INLINE void copy_marked(std::uint64_t begin, unsigned count, std::uint64_t bits,
                                      std::uint64_t chosen) const {
    const It from = nth_item(first, begin);
    OutTrue to = nth_item(out_true, chosen);
    for_each_bit(bits, [&](unsigned k) TINE_INLINED {
      *to = *nth_item(from, k);
      ++to;
    });
    OutFalse other = nth_item(out_false, begin - chosen);
    const std::uint64_t all = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    for_each_bit(all & ~bits, [&](unsigned k) TINE_INLINED {
      *other = *nth_item(from, k);
      ++other;
    });
  }

 private:
  TINE_ALWAYS_INLINE std::uint64_t copy_block(std::uint64_t begin, std::uint64_t end, OutTrue& true_end,
                                              OutFalse& false_end) const {
    const OutTrue from = true_end;
    OutTrue to = from;
    OutFalse other = false_end;
    for (It i = nth_item(first, begin), stop = nth_item(first, end); i != stop; ++i) {
      if (is_chosen(*i)) {
        *to = *i;
        ++to;
      } else {
        *other = *i;
        ++other;
      }
    }
    true_end = to;
    false_end = other;
    return static_cast<std::uint64_t>(to - from);
  }

  /// We part items in arrays of our own, because neither output has places for items of the other one.
  TINE_ALWAYS_INLINE std::uint64_t stage_block(std::uint64_t begin, std::uint64_t end, OutTrue& true_end,
                                               OutFalse& false_end) const {
    stage<std::iter_value_t<It>> chosen, others;
    std::size_t n = 0, m = 0;
    auto* const items = std::to_address(nth_item(first, begin));
    const std::uint64_t count = end - begin;
    _Pragma("GCC unroll 4") for (std::uint64_t k = 0; k != count; ++k) {
      std::construct_at(chosen.items() + n, items[k]);
      std::construct_at(others.items() + m, items[k]);
      const auto is_true = static_cast<std::size_t>(is_chosen(items[k]));
      n += is_true;
      m += 1 - is_true;
    }
    true_end = std::ranges::copy_n(chosen.items(), static_cast<std::ptrdiff_t>(n), true_end).out;
    false_end = std::ranges::copy_n(others.items(), static_cast<std::ptrdiff_t>(m), false_end).out;
    return n;
  }
};

struct partition_copy_function {
  template <std::input_iterator It, std::sentinel_for<It> End, std::weakly_incrementable OutTrue,
            std::weakly_incrementable OutFalse, class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<It, Proj>> Pred>
    requires std::indirectly_copyable<It, OutTrue> && std::indirectly_copyable<It, OutFalse>
  TINE_ALWAYS_INLINE std::ranges::partition_copy_result<It, OutTrue, OutFalse> operator()(It first, End last,
                                                                                          OutTrue out_true,
                                                                                          OutFalse out_false, Pred pred,
                                                                                          Proj proj = {}) const {
    static_assert(check_iterators<It, End>() && check_iterators<OutTrue>() && check_iterators<OutFalse>());
    static_assert(check_callable<Pred, std::indirect_result_t<Proj&, It>>());
    const std::uint64_t n = items_between(first, last);
    const std::uint64_t chosen =
        pack_chunks(n, parted_items<It, OutTrue, OutFalse, Pred, Proj>{first, out_true, out_false, pred, proj});
    return {nth_item(first, n), nth_item(out_true, chosen), nth_item(out_false, n - chosen)};
  }
  template <std::ranges::input_range R, std::weakly_incrementable OutTrue, std::weakly_incrementable OutFalse,
            class Proj = std::identity,
            std::indirect_unary_predicate<std::projected<std::ranges::iterator_t<R>, Proj>> Pred>
    requires std::indirectly_copyable<std::ranges::iterator_t<R>, OutTrue> &&
             std::indirectly_copyable<std::ranges::iterator_t<R>, OutFalse>
  TINE_ALWAYS_INLINE std::ranges::partition_copy_result<std::ranges::borrowed_iterator_t<R>, OutTrue, OutFalse>
  operator()(R&& r, OutTrue out_true, OutFalse out_false, Pred pred, Proj proj = {}) const {
    static_assert(check_range<R>());
    return (*this)(std::ranges::begin(r), std::ranges::end(r), std::move(out_true), std::move(out_false),
                   std::move(pred), std::move(proj));
  }
};

}  // namespace detail

/// Copies the items in [first, last) whose projection satisfies `pred` to `out_true`, and all others to `out_false`,
/// both in order, possibly in parallel. As `std::ranges::partition_copy`.
///
///     tine::partition_copy(first, last, out_true, out_false, pred, proj = {})
///     tine::partition_copy(range, out_true, out_false, pred, proj = {})
///
/// Everything else is as in `copy_if`: `pred` and `proj` are called once for each item; work O(n), span O(log n). The
/// outputs must not overlap the input. An exception of `pred` is rethrown, and leaves the outputs unspecified.
///
/// Source: as `copy_if`.
inline constexpr detail::partition_copy_function partition_copy{};

}  // namespace tine
