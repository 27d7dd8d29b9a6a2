// Searches an array for its smallest or largest number, in blocks whose comparisons are vectorised.
#pragma once

#include <tine/detail/algo/number_lanes.hpp>
#include <tine/detail/algo/plain_comparison.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <type_traits>

namespace tine::detail {

/// The numbers of items of long and short blocks. They are constants, so that compilers vectorise the loops over a
/// block at every level of optimisation.
inline constexpr std::size_t long_block = 1024, short_block = 128;

/// Returns the number in the block that precedes all others and `best`; `best` if there is none.
template <plain_comparison Order, std::size_t Length, class T>
TINE_ALWAYS_INLINE T best_in_block(const T* block, T best) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    using lanes = number_lanes<T>;
    lanes so_far, next;
    for (auto& vector : so_far.of) vector = best - typename lanes::vector{};
    for (std::size_t i = 0; i < Length; i += lanes::count) {
      next.load(block + i);
      for (std::size_t k = 0; k < lanes::vectors; ++k) {
        so_far.of[k] = precedes<Order>(next.of[k], so_far.of[k]) ? next.of[k] : so_far.of[k];
      }
    }
    for (std::size_t half = lanes::vectors / 2; half != 0; half /= 2) {
      for (std::size_t k = 0; k < half; ++k) {
        so_far.of[k] = precedes<Order>(so_far.of[k + half], so_far.of[k]) ? so_far.of[k + half] : so_far.of[k];
      }
    }
    for (std::size_t j = 0; j < lanes::width; ++j) {
      const T each = so_far.of[0][j];
      best = precedes<Order>(each, best) ? each : best;
    }
  } else {
    for (std::size_t i = 0; i < Length; ++i) best = precedes<Order>(block[i], best) ? block[i] : best;
  }
  return best;
}

/// Returns the position of the first item in the block that is equal to `wanted`; `Length` if there is none.
template <std::size_t Length, class T>
TINE_ALWAYS_INLINE std::size_t first_in_block(const T* block, T wanted) noexcept {
  constexpr std::size_t part = 64;
  for (std::size_t at = 0; at != Length; at += part) {
    unsigned found = 0;
    for (std::size_t i = 0; i < part; ++i) found |= static_cast<unsigned>(block[at + i] == wanted);
    if (found == 0) continue;
    while (block[at] != wanted) ++at;
    return at;
  }
  return Length;
}

/// Returns the position of the last item in the block that is equal to `wanted`; `Length` if there is none.
template <std::size_t Length, class T>
TINE_ALWAYS_INLINE std::size_t last_in_block(const T* block, T wanted) noexcept {
  for (std::size_t i = Length; i != 0; --i) {
    if (block[i - 1] == wanted) return i - 1;
  }
  return Length;
}

/// Updates the position `best` of the number `value` with the blocks from `first` up to `last`; fewer items than a
/// block are left.
template <plain_comparison Order, std::size_t Length, class T>
TINE_ALWAYS_INLINE void first_best_of_blocks(const T* items, std::size_t& first, std::size_t last, std::size_t& best,
                                             T& value) noexcept {
  for (; last - first >= Length; first += Length) {
    const T better = best_in_block<Order, Length>(items + first, value);
    if (!precedes<Order>(better, value)) continue;
    best = first + first_in_block<Length>(items + first, better);
    value = better;
  }
}

/// As `first_best_of_blocks`, but of equal numbers the last one is the best.
template <plain_comparison Order, std::size_t Length, class T>
TINE_ALWAYS_INLINE void last_best_of_blocks(const T* items, std::size_t& first, std::size_t last, std::size_t& best,
                                            T& value) noexcept {
  for (; last - first >= Length; first += Length) {
    const T better = best_in_block<Order, Length>(items + first, items[first]);
    if (precedes<Order>(value, better)) continue;
    const std::size_t at = last_in_block<Length>(items + first, better);
    if (at == Length) continue;  // the items are NaN
    best = first + at;
    value = better;
  }
}

/// Returns `best` or the position of the first item from `first` up to `last` that precedes all of these and the item
/// at `best`.
template <plain_comparison Order, class T>
TINE_ALWAYS_INLINE std::size_t first_best(const T* items, std::size_t first, std::size_t last,
                                          std::size_t best) noexcept {
  T value = items[best];
  first_best_of_blocks<Order, long_block>(items, first, last, best, value);
  first_best_of_blocks<Order, short_block>(items, first, last, best, value);
  for (; first != last; ++first) {
    if (!precedes<Order>(items[first], value)) continue;
    best = first;
    value = items[first];
  }
  return best;
}

/// Returns `best` or the position of the last item from `first` up to `last` that no other of these, nor the item at
/// `best`, precedes.
template <plain_comparison Order, class T>
TINE_ALWAYS_INLINE std::size_t last_best(const T* items, std::size_t first, std::size_t last,
                                         std::size_t best) noexcept {
  T value = items[best];
  last_best_of_blocks<Order, long_block>(items, first, last, best, value);
  last_best_of_blocks<Order, short_block>(items, first, last, best, value);
  for (; first != last; ++first) {
    if (precedes<Order>(value, items[first])) continue;
    best = first;
    value = items[first];
  }
  return best;
}

}  // namespace tine::detail
