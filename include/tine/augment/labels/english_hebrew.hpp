// English-Hebrew labels (Nudler–Rudolph 1986): two words for each strand. One sorts branches from left to right, the
// other one from right to left. Strands in sequence have the same order in both words; parallel strands do not.
#pragma once

#include <tine/augment/labels/label.hpp>

#include <compare>
#include <cstdint>
#include <string>

namespace tine::labels {

/// One letter of both words: the place among the branches, counted from either side, and the number of joins since.
class english_hebrew_level {
 public:
  english_hebrew_level() noexcept = default;
  /// Returns the level of branch i of n.
  static english_hebrew_level branch(std::uint64_t i, std::uint64_t n) noexcept { return {i, n - 1 - i}; }
  /// Turns the level of a strand that forked into the level after the join.
  void join() noexcept { ++joins_; }

  friend bool operator==(const english_hebrew_level&, const english_hebrew_level&) noexcept = default;

  friend relation relate(const english_hebrew_level& x, const english_hebrew_level& y) noexcept {
    const bool english_first = x.before(y, &english_hebrew_level::english_);
    const bool hebrew_first = x.before(y, &english_hebrew_level::hebrew_);
    if (english_first == hebrew_first) return english_first ? relation::before : relation::after;
    return english_first ? relation::left : relation::right;
  }

  /// Returns a text such as "English 0.1+2 | Hebrew 0.0+2": at every level the place, and after a plus the number of
  /// joins.
  static std::string text(const open_path<english_hebrew_level>& way) {
    return "English " + word(way, &english_hebrew_level::english_) + " | Hebrew " +
           word(way, &english_hebrew_level::hebrew_);
  }

 private:
  using letter = std::uint64_t english_hebrew_level::*;

  english_hebrew_level(std::uint64_t e, std::uint64_t h) noexcept : english_{e}, hebrew_{h} {}

  /// Returns true if this letter comes before `y` in the alphabet of one word.
  bool before(const english_hebrew_level& y, letter p) const noexcept {
    return this->*p != y.*p ? this->*p < y.*p : joins_ < y.joins_;
  }

  static std::string word(const open_path<english_hebrew_level>& way, letter p) {
    std::string all = text_of(way, [p](std::string& to, const english_hebrew_level& l) {
      to += "." + std::to_string(l.*p) + (l.joins_ != 0 ? "+" + std::to_string(l.joins_) : "");
    });
    return all.substr(1);
  }

  std::uint64_t english_ = 0, hebrew_ = 0, joins_ = 0;
};

/// An English-Hebrew label.
using english_hebrew = label<english_hebrew_level>;

}  // namespace tine::labels
