// Ranges that are in order, or in the reverse order, before they are sorted.
#pragma once

#include <tine/detail/algo/check_range.hpp>
#include <tine/detail/algo/fold_chunks.hpp>
#include <tine/detail/algo/projected_less.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace tine::detail {

/// Returns true if `is_turn(k)` returns true for no position k from `begin` up to `end`. The loop ends early, at the
/// end of a block: a sum over a block takes no branch.
template <class IsTurn>
bool is_monotone(std::uint64_t begin, std::uint64_t end, IsTurn is_turn) {
  return !fold_chunks_until(
      end - begin, [] { return false; },
      [is_turn, begin](bool& found, std::uint64_t from, std::uint64_t to) TINE_INLINED {
        constexpr std::uint64_t block = 32;
        while (!found && from != to) {
          unsigned turns = 0;
          for (const std::uint64_t stop = std::min(to, from + block); from != stop; ++from)
            turns += is_turn(begin + from);
          found = turns != 0;
        }
      },
      [](bool& found, bool later) { found = found || later; }, [](bool found) { return found; });
}

/// Reverses a range, in a loop.
template <class It>
void reverse_in_loop(const It& first, const It& last) {
  for_each_chunk(length_of(first, last) / 2, [first, last](std::uint64_t begin, std::uint64_t end) TINE_INLINED {
    It right = last - static_cast<std::iter_difference_t<It>>(begin);
    for (It left = nth_item(first, begin), stop = nth_item(first, end); left != stop; ++left)
      std::ranges::iter_swap(left, --right);
  });
}

/// Returns true if the items are in order now. Items in descending order are reversed; if the order of equal items
/// matters, only items in strictly descending order are. In all other cases no item is moved.
template <bool IsStable, class It, class Less>
bool order_if_monotone(It first, It last, const Less& less) {
  constexpr std::uint64_t tried = 16;  // a random range has a turn before, so that it takes no loop
  const std::uint64_t n = length_of(first, last);
  if (n < 2) return true;
  const bool descends = less(*nth_item(first, std::min(n, tried) - 1), *first);
  const auto is_turn = [&](std::uint64_t k) TINE_INLINED {
    const It at = nth_item(first, k);
    return descends ? IsStable ? !less(*at, *(at - 1)) : less(*(at - 1), *at) : less(*at, *(at - 1));
  };
  std::uint64_t k = 1;
  while (k < n && k < tried && !is_turn(k)) ++k;
  if (k < n && (k < tried || !is_monotone(k, n, is_turn))) return false;
  if (descends) reverse_in_loop(first, last);
  return true;
}

}  // namespace tine::detail
