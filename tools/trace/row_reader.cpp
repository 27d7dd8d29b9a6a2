// Decodes rows with protozero, as their descriptions say. One routine reads the rows of all tables.
#include "trace/row_reader.hpp"

#include "trace/read_profile.hpp"
#include "trace/wire.hpp"

#include <protozero/pbf_reader.hpp>

#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace tine::trace {
namespace {

/// A row in the file.
struct place {
  const std::string& file;
  std::uint64_t offset;
  std::string_view table;
  std::size_t row;

  [[noreturn]] void fail(const std::string& problem) const {
    throw bad_file{file, offset, "row " + std::to_string(row) + " of '" + std::string{table} + "': " + problem};
  }
};

wire_type encoding_of(const type& t) {
  if (t.is == type::kind::text) return wire_type::length_delimited;
  return t.is == type::kind::real ? wire_type::eight_bytes : wire_type::varint;
}

std::uint64_t largest(const type& t) {
  if (t.is == type::kind::boolean) return 1;
  if (t.is == type::kind::enumeration) return t.names.size() - 1;
  return t.bytes == 4 ? std::numeric_limits<std::uint32_t>::max() : std::numeric_limits<std::uint64_t>::max();
}

// Decodes the next field into the member of the row that it belongs to.
void take(protozero::pbf_reader& in, const field& f, void* value, const place& at) {
  if (static_cast<std::uint32_t>(in.wire_type()) != static_cast<std::uint32_t>(encoding_of(*f.type)))
    at.fail(std::string{f.name} + " has the encoding of another type");
  if (f.type->is == type::kind::text) {
    *static_cast<std::string*>(value) = in.get_string();
  } else if (f.type->is == type::kind::real) {
    const double number = in.get_double();
    if (!std::isfinite(number) || number < 0) at.fail(std::string{f.name} + " is not a number of nanoseconds");
    *static_cast<double*>(value) = number;
  } else if (f.type->is == type::kind::signed_number) {
    *static_cast<std::int64_t*>(value) = in.get_sint64();
  } else {
    const std::uint64_t number = in.get_uint64();
    if (const std::uint64_t most = largest(*f.type); number > most) {
      at.fail(std::string{f.name} + ": the value " + std::to_string(number) + " where at most " + std::to_string(most) +
              " is known; use the tine that the program was built with");
    }
    // an index counts from 1 in the file
    put_number(*f.type, value, f.rows.empty() ? number : static_cast<std::uint32_t>(number) - 1);
  }
}

// Reads one row. Every field must be there once, except fields that are later than the first release of the format's
// version.
void read_row(std::string_view bytes, const type& of, void* row, const place& at) {
  std::bitset<most_fields> seen;
  protozero::pbf_reader in{bytes.data(), bytes.size()};
  while (in.next()) {
    const std::size_t index = std::size_t{in.tag()} - 1;
    if (index >= of.fields.size()) {
      in.skip();
      continue;
    }
    const field& f = of.fields[index];
    if (seen[index]) at.fail(std::string{f.name} + " stands there twice");
    seen[index] = true;
    take(in, f, f.in(row), at);
  }
  for (std::size_t i = 0; i < of.fields.size(); ++i) {
    if (!seen[i] && !of.fields[i].is_later) at.fail(std::string{of.fields[i].name} + " is missing");
  }
}

}  // namespace

void row_reader::for_each_row(const std::function<void(std::string_view, std::uint64_t)>& f) const {
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

std::uint64_t row_reader::position_of_row(std::size_t index) const {
  std::uint64_t found = content_.offset;
  for_each_row([&](std::string_view, std::uint64_t at) {
    if (index-- == 0) found = at;
  });
  return found;
}

std::size_t read_rows(const row_reader& message, const field& table, profile& to) {
  void* const rows = table.in(&to);
  std::size_t count = 0;
  message.for_each_row([&](std::string_view bytes, std::uint64_t offset) {
    if (count + 1 >= nothing) throw bad_file{message.file(), offset, "more rows than an index can name"};
    const place at{message.file(), offset, table.name, count++};
    try {
      read_row(bytes, row_of(table), table.type->append == nullptr ? rows : table.type->append(rows), at);
    } catch (const protozero::exception& e) {
      at.fail(std::string{"it cannot be decoded: "} + e.what());
    }
  });
  return count;
}

}  // namespace tine::trace
