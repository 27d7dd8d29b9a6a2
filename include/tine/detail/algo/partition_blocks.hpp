// Partitioning from both ends, block by block, for items of any type. Worker k works in a zone at the left and in one
// at the right.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/partition_forward.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace tine::detail {

inline constexpr std::ptrdiff_t items_per_block = 64;

/// The items of a block at either end that belong to the other one, by their distances from the block's outer end.
struct misplaced_items {
  unsigned char at[items_per_block];
  unsigned next = 0, count = 0;
};

/// Swaps `n` misplaced items of the block that begins at `left` with as many of the block that ends at `right`, in one
/// cycle.
template <class It>
TINE_ALWAYS_INLINE void swap_misplaced(const It& left, misplaced_items& of_left, const It& right,
                                       misplaced_items& of_right, unsigned n) {
  It a = left + of_left.at[of_left.next];
  It b = right - of_right.at[of_right.next];
  std::iter_value_t<It> first(std::ranges::iter_move(a));
  *a = std::ranges::iter_move(b);
  for (unsigned k = 1; k < n; ++k) {
    a = left + of_left.at[of_left.next + k];
    *b = std::ranges::iter_move(a);
    b = right - of_right.at[of_right.next + k];
    *a = std::ranges::iter_move(b);
  }
  *b = std::move(first);
  for (misplaced_items* side : {&of_left, &of_right}) {
    side->next += n;
    side->count -= n;
  }
}

/// Partitions the items of two zones, [left_rest, left_end) and [right_begin, right_rest): moves `left_rest` forward
/// and `right_rest` backward, until one of the zones has no whole block left. The predicate holds for the items that
/// `left_rest` passes, and for none that `right_rest` passes. In blocks the items are compared without a branch for
/// each one. Those of a block that is not complete are left where they are. Returns true if items were moved.
template <class It, class Pred>
TINE_NOINLINE bool partition_zones(It& left_rest, const It left_end, const It right_begin, It& right_rest,
                                   const Pred& given) {
  It left = left_rest, right = right_rest;  // copies, which no pointer refers to: the compiler keeps them in registers
  const Pred pred = given;
  while (left != left_end && pred(*left)) ++left;  // many or next to none, so that the branches are predicted
  while (right != right_begin && !pred(right[-1])) --right;
  misplaced_items of_left, of_right;
  bool moved = false;
  while (left_end - left >= items_per_block && right - right_begin >= items_per_block) {
    if (of_left.count == 0) {
      of_left.next = 0;
      It at = left;
      for (unsigned k = 0; k < items_per_block; ++k, ++at) {
        of_left.at[of_left.count] = static_cast<unsigned char>(k);
        of_left.count += !pred(*at);
      }
    }
    if (of_right.count == 0) {
      of_right.next = 0;
      It at = right;
      for (unsigned k = 0; k < items_per_block; ++k) {
        of_right.at[of_right.count] = static_cast<unsigned char>(k + 1);
        of_right.count += static_cast<bool>(pred(*--at));
      }
    }
    if (const unsigned n = std::min(of_left.count, of_right.count); n != 0) {
      swap_misplaced(left, of_left, right, of_right, n);
      moved = true;
    }
    if (of_left.count == 0) left += items_per_block;
    if (of_right.count == 0) right -= items_per_block;
  }
  left_rest = left;
  right_rest = right;
  return moved;
}

/// Partitions the items from `left` up to `right` on this worker.
template <class It, class Pred>
partitioned<It> partition_here(It left, It right, const Pred& pred) {
  bool moved = false;
  for (auto n = right - left; n >= 4 * items_per_block; n = right - left) {
    const It middle = left + n / 2;
    if (partition_zones(left, middle, middle, right, pred)) moved = true;
  }
  for (;; ++left) {
    while (left != right && pred(*left)) ++left;
    do {
      if (left == right) return {left, moved};
      --right;
    } while (left != right && !pred(*right));
    if (left == right) return {left, moved};
    std::ranges::iter_swap(left, right);
    moved = true;
  }
}

/// The zones of a series of iterations: iteration k has the k-th item from the left and the k-th item from the right.
/// The series ends at iteration `end`. Its items from `left` up to there at the left, and from there up to `right` at
/// the right, are not partitioned yet.
struct open_zones {
  std::uint64_t end = no_position, left = 0, right = 0;
  bool moved = false;
};

/// Swaps `n` items at `a` with `n` items at `b`, in a loop.
template <class It>
void swap_in_loop(const It& a, const It& b, std::uint64_t n) {
  for_each_chunk(n, [a, b](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    for (It i = nth_item(a, begin), j = nth_item(b, begin), stop = nth_item(a, end); i != stop; ++i, ++j)
      std::ranges::iter_swap(i, j);
  });
}

/// Joins two series. The open items of the first one lie between its parts and those of the second one: they change
/// places with the nearest items of these parts, as far as necessary.
template <class It>
void join_zones(const It& first, std::uint64_t n, open_zones& zones, const open_zones& later) {
  if (later.end == no_position) return;
  if (zones.end == no_position) {
    zones = later;
    return;
  }
  const std::uint64_t left_open = zones.end - zones.left, left_done = later.left - zones.end;
  const std::uint64_t right_open = zones.right - (n - zones.end), right_done = n - zones.end - later.right;
  const std::uint64_t left = std::min(left_open, left_done), right = std::min(right_open, right_done);
  if (left != 0) swap_in_loop(nth_item(first, zones.left), nth_item(first, later.left - left), left);
  if (right != 0) swap_in_loop(nth_item(first, zones.right - right), nth_item(first, later.right), right);
  zones.left += left_done;
  zones.right -= right_done;
  zones.moved = zones.moved || later.moved || left + right != 0;
  zones.end = later.end;
}

/// Partitions a range. Every round is a loop, which idle workers take parts of: it leaves open items in the middle to
/// the next round. One worker moves the items exactly as `partition_here` does.
template <class It, class Pred>
partitioned<It> partition_blocks(It first, It last, const Pred& pred) {
  constexpr std::uint64_t least_parallel = 16 * items_per_block;
  bool moved = false;
  for (;;) {
    const std::uint64_t n = length_of(first, last);
    if (n < least_parallel) break;
    const open_zones zones = fold_chunks(
        n / 2, [] { return open_zones{}; },
        [first, n, pred](open_zones& z, std::uint64_t begin, std::uint64_t end) TINE_INLINED {
          if (z.end == no_position) {
            z.left = begin;
            z.right = n - begin;
          }
          z.end = end;
          It left = nth_item(first, z.left), right = nth_item(first, z.right);
          const bool some = partition_zones(left, nth_item(first, end), nth_item(first, n - end), right, pred);
          z.moved = z.moved || some;
          z.left = length_of(first, left);
          z.right = length_of(first, right);
        },
        [first, n](open_zones& z, const open_zones& later) { join_zones(first, n, z, later); });
    moved = moved || zones.moved;
    last = nth_item(first, zones.right);
    first = nth_item(first, zones.left);
    if (length_of(first, last) > n - n / 4) break;  // zones that are shorter than blocks make no progress
  }
  const partitioned<It> rest = partition_here(first, last, pred);
  return {rest.middle, moved || rest.moved};
}

}  // namespace tine::detail
