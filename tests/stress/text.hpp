// A text that is represented by its hash, for answers that depend on the order of all parts of a program.
#pragma once

#include <cstdint>

namespace tine::stress {

/// The hash of a text. The sum of two hashes is the hash of the concatenation: it depends on the order and not on the
/// brackets.
struct text {
  std::uint64_t hash = 0, power = 1;
  friend text operator+(text a, text b) { return {a.hash * b.power + b.hash, a.power * b.power}; }
  friend bool operator==(text, text) = default;
};

inline text letter(std::uint64_t h) { return {h | 1, 0x9e3779b97f4a7c15U}; }

}  // namespace tine::stress
