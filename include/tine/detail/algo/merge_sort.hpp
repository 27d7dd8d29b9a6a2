// Merge sort between a range and a buffer, stable, with parallel branches and parallel merges. Workers sort disjoint
// subranges.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/fork_both.hpp>
#include <tine/detail/algo/merge_in_loop.hpp>
#include <tine/detail/algo/raw_buffer.hpp>
#include <tine/detail/algo/small_sort.hpp>
#include <tine/detail/algo/tracked_slots.hpp>

#include <cstdint>
#include <iterator>
#include <type_traits>

namespace tine::detail {

/// Merges and moves of fewer items are plain code, because the cost of a loop would show.
inline constexpr std::uint64_t least_parallel_move = 4096;

/// Moves the `n` items at `from` to `to`.
template <class From, class To, class Put>
void move_items(const From& from, const To& to, std::uint64_t n, const Put& put) {
  const auto move_some = [from, to, put](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    To out = nth_item(to, begin);
    for (From in = nth_item(from, begin), stop = nth_item(from, end); in != stop; ++in, ++out) put(out, in);
  };
  if (n < least_parallel_move) {
    move_some(0, n);
  } else {
    for_each_chunk(n, move_some);
  }
}

/// Merges two sorted runs, which are the `n` items at `from`, and moves them to `to`. The first run has `left` items,
/// at least one, but not all.
template <class From, class To, class Less, class Put>
void merge_adjacent(const From& from, std::uint64_t left, std::uint64_t n, const To& to, const Less& less,
                    const Put& put) {
  const From middle = nth_item(from, left);
  if (!less(*middle, *(middle - 1))) return move_items(from, to, n, put);  // the runs are in order
  if constexpr (!std::is_trivially_copyable_v<std::iter_value_t<From>>) {
    using runs = open_runs<From, From>;
    merge_in_branches(
        runs{from, middle, middle, nth_item(from, n)}, to, less,
        [&](runs& part, const To& out, std::uint64_t steps) { merge_steps(part, out, steps, less, put); });
  } else if (n >= least_parallel_move) {
    merge_in_loop(from, left, middle, n - left, to, less, put);
  } else {
    if constexpr (merges_without_branches<From, To>) {
      if (left == n / 2) return merge_halves(from, n, to, less);
    }
    open_runs<From, From> runs{from, middle, middle, nth_item(from, n)};
    merge_steps(runs, to, n, less, put);
  }
}

/// Sorts the items of a range `x`, with a range `y` of slots as scratch space.
///
/// If a comparison throws or the strand is stopped, no item is lost. Trivially copyable items stay in their source when
/// they are moved. So a function that ends early copies them to where the caller expects them. For other types, `Slots`
/// notes which slots hold an item, and the caller collects the items.
template <class X, class Y, class Less, class Slots>
class merge_sorter {
 public:
  merge_sorter(const X& x, const Y& y, const Less& less, const Slots& slots)
      : x_{x}, y_{y}, less_{less}, slots_{slots} {}

  /// Sorts the items [begin, begin + n) of `x`.
  void sort_in_place(std::uint64_t begin, std::uint64_t n) const {
    const X x = nth_item(x_, begin);
    if (n <= most) return small_sort(x, nth_item(x, n), less_);
    const Y y = nth_item(y_, begin);
    const std::uint64_t half = n / 2;
    bool left_moved = false, right_moved = false;
    const auto sort = [&] {
      const auto left = [&] {
        left_moved = true;
        sort_to_scratch(begin, half);
      };
      const auto right = [&] {
        right_moved = true;
        sort_to_scratch(begin + half, n - half);
      };
      fork_both(left, right);
      merge_adjacent(y, half, n, x, less_, slots_.to_items());
    };
    or_else(sort, [&] {
      if (left_moved) copy(y, x, half);
      if (right_moved) copy(nth_item(y, half), nth_item(x, half), n - half);
    });
  }

  /// Sorts the items [begin, begin + n) of `x`, and moves them to `y`.
  void sort_to_scratch(std::uint64_t begin, std::uint64_t n) const {
    const X x = nth_item(x_, begin);
    const Y y = nth_item(y_, begin);
    const auto sort = [&] {
      if (n <= most) return sort_leaf_to_scratch(x, y, n);
      const std::uint64_t half = n / 2;
      fork_both([&] { sort_in_place(begin, half); }, [&] { sort_in_place(begin + half, n - half); });
      merge_adjacent(x, half, n, y, less_, slots_.to_scratch());
    };
    or_else(sort, [&] { copy(x, y, n); });
  }

 private:
  // Inserting items that are not cheap takes longer than merging a few of them.
  static constexpr std::uint64_t most = is_branchless<X> ? most_small_items<X> : 8;

  template <class Sort, class Recover>
  static void or_else(const Sort& sort, const Recover& recover) {
    if constexpr (Slots::is_needed) {
      sort();
    } else {
      try {
        sort();
      } catch (...) {
        recover();
        throw;
      }
    }
  }
  void sort_leaf_to_scratch(const X& x, const Y& y, std::uint64_t n) const {
    if constexpr (is_branchless<X> && std::is_same_v<X, Y>) {
      small_sort_cheap(x, y, n, less_);
    } else {
      small_sort(x, nth_item(x, n), less_);
      move_items(x, y, n, slots_.to_scratch());
    }
  }
  template <class From, class To>
  static void copy(From from, To to, std::uint64_t n) {
    for (; n != 0; --n, ++from, ++to) *to = std::ranges::iter_move(from);
  }

  const X x_;
  const Y y_;
  const Less& less_;
  const Slots slots_;
};

/// Sorts a range by merging, with memory for as many items. Throws std::bad_alloc.
template <class It, class Less>
void merge_sort(It first, It last, const Less& less) {
  using value = std::iter_value_t<It>;
  const std::uint64_t n = length_of(first, last);
  const raw_buffer<value> buffer{n};
  if constexpr (std::is_trivially_copyable_v<value>) {
    merge_sorter{first, buffer.begin(), less, untracked_slots{}}.sort_in_place(0, n);
  } else {
    tracked_slots<It> slots{first, buffer.begin(), n};
    try {
      slots.move_to_buffer();
      merge_sorter{buffer.begin(), first, less, slots.noted()}.sort_to_scratch(0, n);
    } catch (...) {
      slots.recover();
      throw;
    }
    slots.end_buffer();
  }
}

}  // namespace tine::detail
