// A cursor that never leaves the bytes of a profile, and functions that read the rows of a table with it. Inner header of the
// reader.
#pragma once

#include "trace/layout.hpp"
#include "trace/reader.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tine::trace {

/// A part of a file, and where in the file it begins.
struct piece {
  std::uint64_t offset = 0;
  std::string_view bytes;
};

/// Takes numbers from the front of a piece. Throws an error with the offset if bytes are missing.
class cursor {
 public:
  cursor(piece p, const std::string& name) : piece_{p}, name_{name} {}

  const std::string& name() const noexcept { return name_; }
  std::uint64_t offset() const noexcept { return piece_.offset + at_; }
  std::uint64_t left() const noexcept { return piece_.bytes.size() - at_; }

  /// Returns the next bytes, or as many as there are.
  std::string_view peek(std::uint64_t bytes) const { return piece_.bytes.substr(at_, bytes); }

  std::string_view take(std::uint64_t bytes) {
    if (bytes > left()) {
      fail("the file ends here, with " + std::to_string(bytes - left()) +
           " bytes missing; it was cut off, run the program again");
    }
    const std::string_view taken = peek(bytes);
    at_ += bytes;
    return taken;
  }

  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }

  [[noreturn]] void fail(const std::string& problem) const { fail_at(offset(), problem); }
  [[noreturn]] void fail_at(std::uint64_t offset, const std::string& problem) const {
    throw bad_file{name_, offset, problem};
  }

 private:
  std::uint64_t number(std::uint64_t bytes) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char c : take(bytes)) value |= std::uint64_t{static_cast<unsigned char>(c)} << shift, shift += 8;
    return value;
  }

  piece piece_;
  std::uint64_t at_ = 0;
  const std::string& name_;
};

/// Where a table's rows are in the file, for messages.
struct table_place {
  std::uint64_t first = 0;
  std::uint64_t stride = 0;
  std::uint64_t row(std::uint64_t index) const noexcept { return first + index * stride; }
};

/// The places of the tables, by their tags.
using table_places = std::map<std::string, table_place>;

/// The last value of each enumeration.
constexpr std::uint32_t last(ending) noexcept { return static_cast<std::uint32_t>(ending::running); }
constexpr std::uint32_t last(sampling) noexcept { return static_cast<std::uint32_t>(sampling::refused); }
constexpr std::uint32_t last(construct) noexcept { return static_cast<std::uint32_t>(construct::coroutine_fork); }
constexpr std::uint32_t last(node::shape) noexcept { return static_cast<std::uint32_t>(node::shape::loop); }

/// Reads the fields of a row from the file. A field behind the row's end keeps its default: an older tine wrote the row.
class row_reader {
 public:
  /// `text_left` is the number of bytes of the text that no string has taken yet: strings must not share text, because a small file
  /// could then ask for much memory.
  row_reader(piece row, piece text, std::uint64_t& text_left, const std::string& name)
      : in_{row, name}, text_{text}, text_left_{text_left} {}

  void operator()(std::uint32_t& value) {
    if (in_.left() >= 4) value = in_.u32();
  }
  void operator()(std::uint64_t& value) {
    if (in_.left() >= 8) value = in_.u64();
  }
  void operator()(std::int64_t& value) {
    if (in_.left() >= 8) value = static_cast<std::int64_t>(in_.u64());
  }
  void operator()(bool& value) { value = bounded(value, 1) != 0; }
  void operator()(double& value) {
    if (in_.left() < 8) return;
    const std::uint64_t at = in_.offset();
    value = std::bit_cast<double>(in_.u64());
    if (!std::isfinite(value) || value < 0) in_.fail_at(at, "a cost that is not a number of nanoseconds");
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void operator()(Enum& value) {
    value = static_cast<Enum>(bounded(static_cast<std::uint32_t>(value), last(value)));
  }
  void operator()(std::string& value) {
    if (in_.left() < 8) return;
    const std::uint64_t at = in_.offset();
    const std::uint64_t begin = in_.u32(), length = in_.u32();
    if (begin > text_.bytes.size() || length > text_.bytes.size() - begin) {
      in_.fail_at(at, "a text from " + std::to_string(begin) + " of length " + std::to_string(length) +
                          ", but the table has " + std::to_string(text_.bytes.size()) + " bytes of text");
    }
    if (length > text_left_) in_.fail_at(at, "strings that share their text");
    text_left_ -= length;
    value = text_.bytes.substr(begin, length);
  }

 private:
  std::uint32_t bounded(std::uint32_t value, std::uint32_t most) {
    if (in_.left() < 4) return value;
    const std::uint64_t at = in_.offset();
    const std::uint32_t read = in_.u32();
    if (read > most) {
      in_.fail_at(at, "the value " + std::to_string(read) + " where at most " + std::to_string(most) +
                          " is known; use the tine that the program was built with");
    }
    return read;
  }

  cursor in_;
  piece text_;
  std::uint64_t& text_left_;
};

/// Reads the table `content` into `rows`. Returns the place of its rows.
template <class Row>
table_place read_rows(piece content, const std::string& name, std::vector<Row>& rows) {
  cursor in{content, name};
  const std::uint64_t begin = in.offset();
  const std::uint32_t stride = in.u32();
  if (in.u32() != 0) in.fail_at(begin + 4, "bytes that have to be zero are not");
  const std::uint64_t count = in.u64();
  if (stride < table_of<Row>.least_row) {
    in.fail_at(begin, "rows of " + std::to_string(stride) + " bytes, but at least " +
                          std::to_string(table_of<Row>.least_row) + " are needed");
  }
  if (count > in.left() / stride || count >= nothing) {
    in.fail_at(begin + 8, std::to_string(count) + " rows of " + std::to_string(stride) +
                              " bytes, but the section has " + std::to_string(in.left()) + " bytes for them");
  }
  const table_place place{in.offset(), stride};
  const std::string_view all = in.take(count * stride);
  const piece text{in.offset(), in.peek(in.left())};
  std::uint64_t text_left = text.bytes.size();
  rows.resize(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    row_reader from{{place.row(i), all.substr(i * stride, stride)}, text, text_left, name};
    fields(from, rows[i]);
  }
  return place;
}

}  // namespace tine::trace
