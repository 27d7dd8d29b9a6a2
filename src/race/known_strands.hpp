// A set of strands: all up to some number, without a few gaps. If there are more gaps than it has space for, the lowest
// ones become one, so the set is too small rather than too large. Plain data.
#pragma once

#include "race/order.hpp"

#include <algorithm>
#include <cstdint>

namespace tine::detail {

struct known_strands {
  struct range {
    strand_number lo, hi;
    bool operator==(const range&) const = default;
  };
  static constexpr std::uint32_t most_gaps = 14;

  strand_number end = 0;  ///< all strands in the set have lower numbers
  std::uint32_t gaps = 0;
  range all[most_gaps] = {};

  /// Returns a gap, in ascending order. The last one, number `gaps`, is what lies from `end` on.
  range gap(std::uint32_t i) const noexcept { return i < gaps ? all[i] : range{end, ~strand_number{0}}; }

  /// Adds a gap above all others.
  void add_gap(range g) noexcept {
    if (gaps == most_gaps) {
      all[0].hi = all[1].hi;
      for (std::uint32_t i = 2; i < most_gaps; ++i) all[i - 1] = all[i];
      --gaps;
    }
    all[gaps++] = g;
  }

  bool has(strand_number s) const noexcept {
    if (s >= end) return false;
    for (std::uint32_t i = 0; i < gaps; ++i) {
      if (s - all[i].lo < all[i].hi - all[i].lo) return false;
    }
    return true;
  }

  bool operator==(const known_strands& b) const noexcept {
    bool is_same = end == b.end && gaps == b.gaps;
    for (std::uint32_t i = 0; i < gaps && is_same; ++i) is_same = all[i] == b.all[i];
    return is_same;
  }
};

/// Returns the strands that are in one of the sets.
inline known_strands united(const known_strands& a, const known_strands& b) noexcept {
  known_strands all;
  all.end = std::max(a.end, b.end);
  for (std::uint32_t i = 0, j = 0; i <= a.gaps && j <= b.gaps;) {
    const known_strands::range one = a.gap(i), other = b.gap(j);
    const strand_number lo = std::max(one.lo, other.lo), hi = std::min(one.hi, other.hi);
    if (lo < hi && lo < all.end) all.add_gap({lo, std::min(hi, all.end)});
    one.hi < other.hi ? ++i : ++j;
  }
  return all;
}

}  // namespace tine::detail
