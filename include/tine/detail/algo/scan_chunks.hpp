// The loop under the scans: a plain sequential scan as long as nothing is stolen. Workers that begin in the middle,
// where the sum of the items before is not known yet, add up blocks of their items; these are scanned as soon as that
// sum is known.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/prefix_blocks.hpp>

#include <concepts>
#include <memory>
#include <optional>

namespace tine::detail {

/// True if `Op` can sum values of type `Sum` and items of type `Item`.
template <class Op, class Sum, class Item>
concept sums =
    std::movable<Sum> && std::copy_constructible<Sum> && std::constructible_from<Sum, Item> &&
    std::invocable<Op&, const Sum&, Item> && std::convertible_to<std::invoke_result_t<Op&, const Sum&, Item>, Sum> &&
    std::invocable<Op&, const Sum&, Sum> && std::convertible_to<std::invoke_result_t<Op&, const Sum&, Sum>, Sum>;

/// The result of a series of a scan.
template <class Sum>
struct scan_state {
  std::optional<Sum> prefix;                   ///< in the series that begins at item 0: the sum up to its end
  std::unique_ptr<prefix_blocks<Sum>> blocks;  ///< in any other series: the sums of its blocks
};

/// Stands for the initial value of a scan that begins with its first item.
struct no_init {};

/// The items of a scan, and how their sums are written. An inclusive scan writes at each item the sum up to and
/// including it, an exclusive one the sum before it.
template <bool is_inclusive, class Sum, class It, class Out, class Op, class Map, class Init>
struct scan_items {
  It first;
  Out out;
  Op op;
  Map map;
  Init init;

  using state = scan_state<Sum>;

  TINE_ALWAYS_INLINE void run(state& so_far, std::uint64_t begin, std::uint64_t end) const {
    if (begin == end) return;  // the loop is empty
    if (begin == 0) begin = start(so_far);
    if (so_far.prefix.has_value()) [[likely]] {
      Sum sum = *std::move(so_far.prefix);  // a local variable, so that the compiler keeps it in a register
      write(sum, begin, end);
      *so_far.prefix = std::move(sum);
    } else {
      sum_up(so_far, begin, end);
    }
  }

  /// Adds a series that other items preceded. If the sum before it is known now, scans its blocks, possibly in
  /// parallel.
  void add(state& so_far, state&& later) const {
    if (later.blocks == nullptr) {
      if (later.prefix.has_value()) so_far = std::move(later);
    } else if (so_far.prefix.has_value()) {
      later.blocks->resolve(*so_far.prefix, op);
      for_each_chunk(later.blocks->size(),
                     [this, &blocks = std::as_const(*later.blocks)](std::uint64_t k, std::uint64_t stop) {
                       for (; k != stop; ++k) {
                         Sum sum = blocks[k].sum;
                         write(sum, blocks[k].begin, blocks[k].end);
                       }
                     });
    } else if (so_far.blocks != nullptr) {
      so_far.blocks->append(std::move(*later.blocks), op);
    } else {
      so_far.blocks = std::move(later.blocks);
    }
  }

 private:
  /// Returns the number of items that the begin of the scan has taken.
  TINE_ALWAYS_INLINE std::uint64_t start(state& so_far) const {
    if constexpr (std::is_same_v<Init, no_init>) {
      so_far.prefix.emplace(std::invoke(map, *first));
      *out = *so_far.prefix;
      return 1;
    } else {
      so_far.prefix.emplace(init);
      return 0;
    }
  }

  TINE_ALWAYS_INLINE void write(Sum& sum, std::uint64_t begin, std::uint64_t end) const {
    Out to = nth_item(out, begin);
    It i = nth_item(first, begin);
    for (std::uint64_t left = end - begin; left != 0; --left, ++i, ++to) {  // counts, so that compilers unroll it
      if constexpr (is_inclusive) {
        sum = static_cast<Sum>(std::invoke(op, std::move(sum), std::invoke(map, *i)));
        *to = std::as_const(sum);
      } else {
        Sum next = static_cast<Sum>(std::invoke(op, std::as_const(sum), std::invoke(map, *i)));
        *to = std::move(sum);
        sum = std::move(next);
      }
    }
  }

  TINE_NOINLINE void sum_up(state& so_far, std::uint64_t begin, std::uint64_t end) const {
    It i = nth_item(first, begin);
    const It stop = nth_item(first, end);
    Sum sum(std::invoke(map, *i));
    for (++i; i != stop; ++i) sum = static_cast<Sum>(std::invoke(op, std::move(sum), std::invoke(map, *i)));
    if (so_far.blocks == nullptr) so_far.blocks = std::make_unique<prefix_blocks<Sum>>();
    so_far.blocks->append({begin, end, std::move(sum)}, op);
  }
};

/// Scans `n` items from `first` on, and writes the sums from `out` on.
template <bool is_inclusive, class Sum, class It, class Out, class Op, class Map, class Init>
TINE_ALWAYS_INLINE void scan_chunks(std::uint64_t n, It first, Out out, Op op, Map map, Init init) {
  static_assert(check_callable<Op, const Sum&, Sum>());
  static_assert(check_callable<Map, std::iter_reference_t<It>>());
  const scan_items<is_inclusive, Sum, It, Out, Op, Map, Init> items{std::move(first), std::move(out), std::move(op),
                                                                    std::move(map), std::move(init)};
  fold_chunks(
      n, [] { return scan_state<Sum>{}; },
      [items](scan_state<Sum>& so_far, std::uint64_t begin, std::uint64_t end)
          TINE_INLINED { items.run(so_far, begin, end); },
      [&items](scan_state<Sum>& so_far, scan_state<Sum>&& later) { items.add(so_far, std::move(later)); });
}

}  // namespace tine::detail
