// Reads the rows of a table from its message. Inner header of the reader.
#pragma once

#include "trace/description.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tine::trace {

/// A part of a file, and where in the file it begins.
struct piece {
  std::uint64_t offset = 0;
  std::string_view bytes;
};

/// Reads the part of the message of a profile that holds one table: the rows are the fields with the number of the
/// table.
class row_reader {
 public:
  row_reader(std::uint32_t number, piece content, const std::string& file)
      : number_{number}, content_{content}, file_{file} {}

  /// Calls `f(bytes, offset)` for each row, with the position of the row in the file.
  void for_each_row(const std::function<void(std::string_view, std::uint64_t)>& f) const;

  /// Returns the position of a row in the file, or that of the table if there is no such row.
  std::uint64_t position_of_row(std::size_t index) const;

  const std::string& file() const noexcept { return file_; }

 private:
  std::uint32_t number_;
  piece content_;
  const std::string& file_;
};

/// The tables of a file, by their names.
using table_places = std::map<std::string_view, row_reader>;

/// Reads the rows of a table into the member of `to` that holds them, and returns their number. If the table is one
/// row, the member is the last row that was read.
std::size_t read_rows(const row_reader& message, const field& table, profile& to);

}  // namespace tine::trace
