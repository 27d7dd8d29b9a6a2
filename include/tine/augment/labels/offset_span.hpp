// Offset-span labels (Mellor-Crummey 1991): at each level a pair of an offset and a span. Branch i of n begins with [i,
// n] and adds n to the offset at every join, so the remainder of offset by span tells the branch and the quotient
// counts its joins.
#pragma once

#include <tine/augment/labels/label.hpp>

#include <cstdint>
#include <string>

namespace tine::labels {

/// One pair. The offset is kept as quotient and remainder, because it outgrows a word after a few joins of a long loop.
class offset_span_level {
 public:
  offset_span_level() noexcept = default;
  /// Returns the level of branch i of n.
  static offset_span_level branch(std::uint64_t i, std::uint64_t n) noexcept { return {i, n}; }
  /// Turns the level of a strand that forked into the level after the join.
  void join() noexcept { ++joins_; }

  friend bool operator==(const offset_span_level&, const offset_span_level&) noexcept = default;

  /// Congruent offsets are ordered by size, other offsets are concurrent. (The spans are equal, because the way to this
  /// level is the same, and a strand is at one fork at a time.)
  friend relation relate(const offset_span_level& x, const offset_span_level& y) noexcept {
    return x.remainder_ == y.remainder_ ? in_sequence(x.joins_, y.joins_) : side_by_side(x.remainder_, y.remainder_);
  }

  /// Returns a text like those in the paper: "[0,1][1,2]".
  static std::string text(const open_path<offset_span_level>& way) {
    return text_of(way, [](std::string& to, const offset_span_level& l) {
      to += "[" + l.offset() + "," + std::to_string(l.span_) + "]";
    });
  }

 private:
  offset_span_level(std::uint64_t i, std::uint64_t n) noexcept : remainder_{i}, span_{n} {}

  std::string offset() const {
    std::uint64_t offset = 0;
    const bool fits =
        !__builtin_mul_overflow(joins_, span_, &offset) && !__builtin_add_overflow(offset, remainder_, &offset);
    if (fits) return std::to_string(offset);
    return std::to_string(joins_) + "*" + std::to_string(span_) + "+" + std::to_string(remainder_);
  }

  std::uint64_t remainder_ = 0, span_ = 1, joins_ = 0;
};

/// An offset-span label.
using offset_span = label<offset_span_level>;

}  // namespace tine::labels
