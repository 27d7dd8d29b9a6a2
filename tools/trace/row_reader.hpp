// Reads the rows of a table from its message. Inner header of the reader.
#pragma once

#include "trace/description.hpp"
#include "trace/read_profile.hpp"
#include "trace/wire.hpp"

#include <protozero/pbf_reader.hpp>

#include <bitset>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tine::trace {

/// A part of a file, and where in the file it begins.
struct piece {
  std::uint64_t offset = 0;
  std::string_view bytes;
};

/// The part of the message of a profile that holds one table: the rows are the fields with the number of the table.
class table_message {
 public:
  table_message(std::uint32_t number, piece content, const std::string& file)
      : number_{number}, content_{content}, file_{file} {}

  /// Calls `f(bytes, offset)` for each row, with the position of the row in the file.
  template <class F>
  void for_each_row(F&& f) const {
    protozero::pbf_reader in{content_.bytes.data(), content_.bytes.size()};
    std::uint64_t at = content_.offset;
    const auto position = [&] { return content_.offset + content_.bytes.size() - in.length(); };
    try {
      for (; at = position(), in.next();) {
        if (in.tag() != number_) {
          in.skip();
          continue;
        }
        if (in.wire_type() != protozero::pbf_wire_type::length_delimited)
          throw bad_file{file_, at, "a row that is no message"};
        const auto row = in.get_view();
        f(std::string_view{row.data(), row.size()}, at);
      }
    } catch (const protozero::exception& e) {
      throw bad_file{file_, at, std::string{"the rows cannot be decoded: "} + e.what()};
    }
  }

  /// Returns the position of a row in the file, or that of the table if there is no such row.
  std::uint64_t position_of_row(std::size_t index) const {
    std::uint64_t found = content_.offset;
    for_each_row([&](std::string_view, std::uint64_t at) {
      if (index-- == 0) found = at;
    });
    return found;
  }

 private:
  std::uint32_t number_;
  piece content_;
  const std::string& file_;
};

/// The tables of a file, by their names.
using table_places = std::map<std::string_view, table_message>;

/// Reads one row. Every field must be there once, except fields that are later than the first release of the format's version.
template <class Row>
class row_reader {
 public:
  /// `fail(problem)` throws.
  template <class Fail>
  static void read(std::string_view bytes, Row& row, Fail&& fail) {
    std::bitset<field_count<Row>> seen;
    protozero::pbf_reader in{bytes.data(), bytes.size()};
    while (in.next()) {
      bool is_known = false;
      for_each_field<Row>([&](std::uint32_t number, const auto& described) {
        if (number != in.tag() || is_known) return;
        is_known = true;
        if (seen[number - 1]) fail(std::string{described.name} + " stands there twice");
        seen[number - 1] = true;
        take(in, described, described.in(row), fail);
      });
      if (!is_known) in.skip();
    }
    for_each_field<Row>([&](std::uint32_t number, const auto& described) {
      if (!seen[number - 1] && !described.is_later) fail(std::string{described.name} + " is missing");
    });
  }

 private:
  template <class Field, class T, class Fail>
  static void take(protozero::pbf_reader& in, const Field& described, T& value, Fail& fail) {
    const auto expect = [&](wire_type wanted) {
      if (static_cast<std::uint32_t>(in.wire_type()) != static_cast<std::uint32_t>(wanted))
        fail(std::string{described.name} + " has the encoding of another type");
    };
    if constexpr (std::is_same_v<T, std::string>) {
      expect(wire_type::length_delimited);
      value = in.get_string();
    } else if constexpr (std::is_same_v<T, double>) {
      expect(wire_type::eight_bytes);
      value = in.get_double();
      if (!std::isfinite(value) || value < 0) fail(std::string{described.name} + " is not a number of nanoseconds");
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      expect(wire_type::varint);
      value = in.get_sint64();
    } else {
      expect(wire_type::varint);
      const std::uint64_t number = in.get_uint64();
      if (number > most<T>()) {
        fail(std::string{described.name} + ": the value " + std::to_string(number) + " where at most " +
             std::to_string(most<T>()) + " is known; use the tine that the program was built with");
      }
      // an index counts from 1 in the file
      value = static_cast<T>(described.rows.empty() ? number : static_cast<std::uint32_t>(number) - 1);
    }
  }

  template <class T>
  static constexpr std::uint64_t most() noexcept {
    if constexpr (std::is_enum_v<T>) {
      return std::size(names_of<T>) - 1;
    } else {
      return std::numeric_limits<T>::max();
    }
  }
};

/// Reads the rows of a table into `rows`.
template <class Row>
void read_rows(const table_message& table, const std::string& file, std::string_view name, std::vector<Row>& rows) {
  table.for_each_row([&](std::string_view bytes, std::uint64_t at) {
    const auto fail = [&](const std::string& problem) {
      throw bad_file{file, at,
                     "row " + std::to_string(rows.size() - 1) + " of '" + std::string{name} + "': " + problem};
    };
    if (rows.size() + 1 >= nothing) throw bad_file{file, at, "more rows than an index can name"};
    try {
      row_reader<Row>::read(bytes, rows.emplace_back(), fail);
    } catch (const protozero::exception& e) {
      fail(std::string{"it cannot be decoded: "} + e.what());
    }
  });
}

}  // namespace tine::trace
