// Builds files that no writer would: sections of any content with right checksums.
#pragma once

#include "trace/checksum.hpp"
#include "trace/layout.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tine::test {

inline std::string u32(std::uint64_t value) {
  std::string out;
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xFF);
  return out;
}

inline std::string u64(std::uint64_t value) { return u32(value) + u32(value >> 32); }

/// Returns the bytes of the numbers, 4 for each, one number after the other.
inline std::string words(const std::vector<std::uint64_t>& values) {
  std::string out;
  for (const auto value : values) out += u32(value);
  return out;
}

inline std::string section(const std::string& tag, const std::string& content) {
  const std::string length = u64(content.size());
  return tag + u32(trace::checksum(content, trace::checksum(length, trace::checksum(tag)))) + length + content;
}

inline std::string table(const std::string& tag, std::uint64_t stride, std::uint64_t rows, const std::string& rest) {
  return section(tag, u32(stride) + u32(0) + u64(rows) + rest);
}

/// Returns the section of a run with nothing in it and without an analysis.
inline std::string empty_run() { return table("run ", 100, 1, std::string(100, '\0')); }

/// Returns a whole file with these sections and an end mark.
inline std::string file(const std::vector<std::string>& sections) {
  std::string out{trace::magic};
  out += u32(trace::format_version) + u32(0);
  for (const auto& s : sections) out += s;
  return out + section("end ", u64(sections.size()));
}

}  // namespace tine::test
