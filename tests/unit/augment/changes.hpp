// Random allocations and frees at the events of a program, for the tests of the space vertex.
#pragma once

#include <tine/augment/space.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace tine::test {

/// The change that an event makes: it allocates `bytes`, or frees -`bytes` if they are negative.
struct change {
  std::int64_t bytes;
  std::uintptr_t site;
};

inline std::vector<change> random_changes(std::size_t n, std::mt19937_64& random) {
  std::vector<change> all;
  for (; n != 0; --n) {
    const auto bytes = static_cast<std::int64_t>(1 + random() % 9);
    all.push_back({random() % 2 == 0 ? bytes : -bytes, 100 + random() % 3});
  }
  return all;
}

inline void apply(space& v, change c) {
  if (c.bytes >= 0) {
    v.alloc(c.bytes, c.site);
  } else {
    v.free(-c.bytes, c.site);
  }
}

/// Returns S₁, the peak if all changes happen in that order.
inline std::int64_t serial_peak(const std::vector<change>& changes) {
  std::int64_t held = 0, peak = 0;
  for (const change c : changes) peak = std::max(peak, held += c.bytes);
  return peak;
}

}  // namespace tine::test
