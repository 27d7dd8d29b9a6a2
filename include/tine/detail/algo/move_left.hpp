// Moves items left over a gap before them, possibly in parallel.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/item_hole.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace tine::detail {

/// As std::ranges::move. Iterators of standard algorithms need not satisfy its concepts; for those std::move is right.
template <class From, class To>
TINE_ALWAYS_INLINE void move_range(const From& first, const From& last, const To& to) {
  if constexpr (std::input_iterator<From> && std::indirectly_movable<From, To>) {
    std::ranges::move(first, last, to);
  } else {
    std::move(first, last, to);
  }
}

/// Moves `n` items from `from` on to `from - gap`, over items that may be overwritten. The subranges overlap if the gap
/// is shorter than `n`.
///
/// Up to a few times the gap, the items move in rounds of `gap` items, each of which is a parallel loop. More items
/// move in blocks, all at once. Then we first save the last `gap` items of each block, because the next block
/// overwrites them: at most an eighth of all items.
template <class It>
void move_left(It from, std::uint64_t n, std::uint64_t gap) {
  constexpr std::uint64_t short_move = 16'384, rounds = 8;
  if (gap == 0) return;
  const It to = from - static_cast<std::iter_difference_t<It>>(gap);
  const auto move = [from, to](std::uint64_t begin, std::uint64_t end) {
    move_range(nth_item(from, begin), nth_item(from, end), nth_item(to, begin));
  };
  if (n <= short_move) return move(0, n);
  if (n <= rounds * gap) {
    for (std::uint64_t begin = 0; begin < n; begin += gap) {
      for_each_chunk(std::min(gap, n - begin),
                     [move, begin](std::uint64_t k, std::uint64_t stop) { move(begin + k, begin + stop); });
    }
    return;
  }
  // Block k moves the items from k * block up to (k + 1) * block. It writes `gap` places before these. So the first
  // places to which the next block writes hold the last `gap` items of block k. If the loops are stopped, the saved
  // items have to return to the range.
  const std::uint64_t block = std::max(short_move, rounds * gap), last = (n - 1) / block;
  using value = std::iter_value_t<It>;
  std::vector<std::vector<value>> saved(last);
  for (std::vector<value>& s : saved) s.reserve(gap);
  std::vector<unsigned char> moved(last + 1);
  bool all_saved = false;
  const auto move_block = [&](std::uint64_t k) {
    moved[k] = 1;
    if (k == last) {
      move(k * block, n);
    } else {
      move(k * block, (k + 1) * block - gap);
      move_range(saved[k].begin(), saved[k].end(), nth_item(to, (k + 1) * block - gap));
    }
  };
  try {
    for_each_chunk(last, [&](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) {
        for (std::uint64_t i = (k + 1) * block - gap; i != (k + 1) * block; ++i) {
          saved[k].push_back(std::ranges::iter_move(nth_item(from, i)));
        }
      }
    });
    all_saved = true;
    for_each_chunk(last + 1, [&](std::uint64_t k, std::uint64_t stop) {
      for (; k != stop; ++k) move_block(k);
    });
  } catch (...) {
    for (std::uint64_t k = 0; k != last; ++k) {
      for (std::size_t i = 0; !all_saved && i != saved[k].size(); ++i) {
        put_back(nth_item(from, (k + 1) * block - gap + i), saved[k][i]);
      }
    }
    for (std::uint64_t k = 0; all_saved && k <= last; ++k) {
      if (moved[k] == 0) move_block(k);
    }
    throw;
  }
}

}  // namespace tine::detail
