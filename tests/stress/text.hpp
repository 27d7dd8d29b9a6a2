// A text by its hash, for answers that depend on the order of all parts of a program.
#pragma once

#include <cstdint>

namespace tine::stress {

/// A text's hash: the sum of two is that of both texts in a row, so the order counts and the brackets do not.
struct text {
  std::uint64_t hash = 0, power = 1;
  friend text operator+(text a, text b) { return {a.hash * b.power + b.hash, a.power * b.power}; }
  friend bool operator==(text, text) = default;
};

inline text letter(std::uint64_t h) { return {h | 1, 0x9e3779b97f4a7c15U}; }

}  // namespace tine::stress
