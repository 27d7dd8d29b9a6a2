// The text of a program, and positions in it. All of this is immutable after construction, so threads may share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tine::ml {

/// The number of the source file, and the range of bytes [begin, end) in it.
struct span {
  std::uint32_t file = 0, begin = 0, end = 0;
};

/// A file's text with its name and its number, which spans in it have.
class source {
 public:
  /// Longer texts are not accepted, because a span counts bytes in 32 bits.
  static constexpr std::size_t max_bytes = std::size_t{1} << 31;

  /// A line and a column, both counted from 1. Columns count bytes; a tab is one.
  struct position {
    std::uint32_t line = 1, column = 1;
  };

  /// If `text` is longer than max_bytes, the source is empty and is_too_long() returns true.
  source(std::uint32_t number, std::string name, std::string text);

  std::uint32_t number() const { return number_; }
  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  bool is_too_long() const { return is_too_long_; }
  std::string_view text_of(span s) const { return text().substr(s.begin, s.end - s.begin); }
  std::size_t lines() const { return line_begins_.size(); }

  /// Returns the position of a byte, in logarithmic time. An offset behind the text has the position of the text's end.
  position position_of(std::uint32_t offset) const;
  /// Returns a line's text without the characters that end it.
  std::string_view line(std::uint32_t number) const;

 private:
  std::uint32_t number_;
  std::string name_, text_;
  bool is_too_long_ = false;
  std::vector<std::uint32_t> line_begins_;
};

/// The files of a program; a file's number is its index.
using source_files = std::deque<source>;

}  // namespace tine::ml
