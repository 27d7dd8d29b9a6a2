// The items of the packs that copy: copy_if and unique_copy. Workers copy disjoint subranges.
#pragma once

#include <tine/detail/algo/branchless.hpp>
#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/pack_chunks.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tine::detail {

/// The items of a pack that copies. `chooses(i)` tells whether it copies the item at an iterator, or at a pointer.
template <class It, class Out, class Chooses>
struct copied_items {
  It first;
  Out out;
  Chooses chooses;

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
    for (unsigned k = 0; k != count; ++k, ++i) bits |= std::uint64_t{chooses(i)} << k;
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
      if (chooses(i)) {
        *to = *i;
        ++to;
      }
    }
    out_end = to;
    return static_cast<std::uint64_t>(to - from);
  }

  /// We choose items in an array of our own, because the output has no place for an item that is not chosen.
  TINE_ALWAYS_INLINE std::uint64_t stage_block(std::uint64_t begin, std::uint64_t end, Out& out_end) const {
    stage<std::iter_value_t<It>> chosen;
    std::size_t n = 0;
    auto* const items = std::to_address(nth_item(first, begin));
    const std::uint64_t count = end - begin;
    _Pragma("GCC unroll 4") for (std::uint64_t k = 0; k != count; ++k) {
      std::construct_at(chosen.items() + n, items[k]);
      n += static_cast<std::size_t>(chooses(items + k));
    }
    out_end = std::ranges::copy_n(chosen.items(), static_cast<std::ptrdiff_t>(n), out_end).out;
    return n;
  }
};

/// Copies the chosen ones of `n` items to `out`. Returns both ends.
template <class It, class Out, class Chooses>
TINE_ALWAYS_INLINE std::ranges::in_out_result<It, Out> copy_chosen(It first, std::uint64_t n, Out out,
                                                                   Chooses chooses) {
  static_assert(check_iterators<It>() && check_iterators<Out>());
  const std::uint64_t chosen = pack_chunks(n, copied_items<It, Out, Chooses>{first, out, std::move(chooses)});
  return {nth_item(first, n), nth_item(out, chosen)};
}

}  // namespace tine::detail
