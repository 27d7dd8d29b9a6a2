// Partitioning a range in place, possibly in parallel: the inner loop of quicksort and quickselect.
#pragma once

#include <tine/detail/algo/partition_blocks.hpp>
#include <tine/detail/algo/partition_forward.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <iterator>
#include <type_traits>

namespace tine::detail {

/// Moves the items for which `pred` returns true before all others. `pred` is called as const, on several workers at
/// once, and more than once for few items. `has_runs`: long runs of equal results are probable.
template <class It, class Pred>
partitioned<It> partition_range(It first, It last, const Pred& pred, bool has_runs) {
  if constexpr (is_branchless<It>) {
    return partition_forward(first, last, pred, has_runs);
  } else {
    return partition_blocks(first, last, pred);
  }
}

/// The item by which a range is partitioned. Cheap items are copied, so that the compiler keeps the copy in a register;
/// others are compared in their place. (A comparison may take its arguments by reference to non-const, so the copy is
/// mutable.)
template <class It, class Less>
class pivot_order {
 public:
  static constexpr bool is_copied = is_cheap_item<std::iter_value_t<It>>;
  using kept = std::conditional_t<is_copied, std::iter_value_t<It>, It>;

  TINE_ALWAYS_INLINE pivot_order(const It& at, const Less& less) : pivot_(keep(at)), less_{less} {}

  /// Returns true if the item belongs before the pivot.
  template <class Item>
  TINE_ALWAYS_INLINE bool is_before(Item&& item) const {
    return less_.call(std::forward<Item>(item), pivot());
  }
  /// Returns true if the item does not belong behind the pivot.
  template <class Item>
  TINE_ALWAYS_INLINE bool is_not_behind(Item&& item) const {
    return !less_.call(pivot(), std::forward<Item>(item));
  }

 private:
  TINE_ALWAYS_INLINE static kept keep(const It& at) {
    if constexpr (is_copied) {
      return kept(std::ranges::iter_move(at));  // a copy: cheap items are trivially copyable
    } else {
      return at;
    }
  }
  TINE_ALWAYS_INLINE decltype(auto) pivot() const {
    if constexpr (is_copied) {
      return static_cast<kept&>(pivot_);
    } else {
      return *pivot_;
    }
  }

  mutable kept pivot_;
  [[no_unique_address]] kept_callable<Less> less_;
};

/// Returns true if the items of a long range are probably nearly in order: of a few neighbours, one pair at most is
/// not.
template <class It, class Less>
bool looks_sorted(It first, It last, const Less& less) {
  constexpr int samples = 12;
  const auto step = (last - first) / samples;
  if (step < 10) return false;
  int descents = 0;
  It at = first + 1;  // behind the pivot
  for (int k = 0; k < samples; ++k, at += step) descents += less(*(at + 1), *at);
  return descents <= 1;
}

/// Partitions the items behind `first` by the item at `first`, and moves this pivot between the parts. Returns its
/// place.
template <class It, class Less>
partitioned<It> partition_by_first(It first, It last, const Less& less) {
  const pivot_order<It, Less> order{first, less};
  const auto is_before = [order](auto&& item)
                             TINE_INLINED { return order.is_before(std::forward<decltype(item)>(item)); };
  const bool has_runs = is_branchless<It> && looks_sorted(first, last, less);
  auto parts = partition_range(first + 1, last, is_before, has_runs);
  --parts.middle;
  if (parts.middle != first) std::ranges::iter_swap(first, parts.middle);
  return parts;
}

/// Moves the items that do not belong behind the item at `first` before all others. Returns the first of the others.
template <class It, class Less>
It partition_equal_to_first(It first, It last, const Less& less) {
  const pivot_order<It, Less> order{first, less};
  const auto is_not_behind = [order](auto&& item)
                                 TINE_INLINED { return order.is_not_behind(std::forward<decltype(item)>(item)); };
  return partition_range(first + 1, last, is_not_behind, false).middle;
}

}  // namespace tine::detail
