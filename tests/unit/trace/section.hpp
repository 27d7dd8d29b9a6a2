// Builds files that no writer would: sections of any content with right checksums.
#pragma once

#include "trace/checksum.hpp"
#include "trace/description.hpp"
#include "trace/wire.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tine::test {

inline std::string u32(std::uint64_t value) {
  std::string out;
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xFF);
  return out;
}

inline std::string u64(std::uint64_t value) { return u32(value) + u32(value >> 32); }

inline std::string section(std::uint32_t number, const std::string& content) {
  const std::string tag = u32(number), length = u64(content.size());
  return tag + u32(trace::checksum(content, trace::checksum(length, trace::checksum(tag)))) + length + content;
}

/// Returns a message whose fields 1, 2, … have these numbers.
inline std::string message(const std::vector<std::uint64_t>& values) {
  std::string out;
  std::uint32_t number = 0;
  for (const std::uint64_t value : values) trace::put_field(out, ++number, value);
  return out;
}

inline std::string text_field(std::uint32_t number, const std::string& text) {
  std::string out;
  trace::put_field(out, number, std::string_view{text});
  return out;
}

/// Returns the number of the section of a table.
inline std::uint32_t number_of(std::string_view table) {
  const auto found = std::ranges::find(trace::tables(), table, &trace::field::name);
  return static_cast<std::uint32_t>(found - trace::tables().begin()) + 1;
}

/// Returns the section of a table with these rows.
inline std::string table(std::string_view name, const std::vector<std::string>& rows) {
  const std::uint32_t number = number_of(name);
  std::string content;
  for (const std::string& row : rows) content += text_field(number, row);
  return section(number, content);
}

/// Returns the row of a run with nothing in it and without an analysis; the field `number` is `changed` instead.
inline std::string run_row(std::uint32_t number = 0, const std::string& changed = "") {
  std::string out;
  std::uint32_t each = 0;
  for (const trace::field& f : trace::type_of<trace::run>().fields) {
    if (++each == number) {
      out += changed;
    } else if (f.type->is == trace::type::kind::text) {
      out += text_field(each, "");
    } else if (f.type->is == trace::type::kind::real) {
      trace::put_field(out, each, 0.0);
    } else {
      trace::put_field(out, each, std::uint64_t{0});
    }
  }
  return out;
}

inline std::string empty_run() { return table("run", {run_row()}); }

/// Returns a whole file with these sections and an end mark.
inline std::string file(const std::vector<std::string>& sections) {
  std::string out{trace::magic};
  out += u32(trace::format_version) + u32(0);
  for (const auto& s : sections) out += s;
  return out + section(trace::end_section, u64(sections.size()));
}

}  // namespace tine::test
