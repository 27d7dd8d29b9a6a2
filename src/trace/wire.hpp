// Encodes messages as protocol buffers do (https://protobuf.dev/programming-guides/encoding). Tools decode them with
// protozero. Its writer would do this work, too, but building the runtime would then need protozero: so the three kinds
// of fields that a profile has are encoded here. A unit test compares a file with what protozero's writer makes.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tine::trace {

enum class wire_type : std::uint32_t { varint = 0, eight_bytes = 1, length_delimited = 2 };

/// Appends the number in groups of seven bits, the lowest first. All but the last group have the eighth bit set.
inline void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

template <std::unsigned_integral Number>
void put_little_endian(std::string& out, Number value) {
  for (std::size_t byte = 0; byte < sizeof value; ++byte) out.push_back(static_cast<char>(value >> (8 * byte)));
}

inline void put_tag(std::string& out, std::uint32_t number, wire_type type) {
  put_varint(out, number << 3 | static_cast<std::uint32_t>(type));
}

/// `put_field` appends a field with this number. Signed numbers are mapped to unsigned ones by zigzag: 0, -1, 1, -2, …
inline void put_field(std::string& out, std::uint32_t number, std::uint64_t value) {
  put_tag(out, number, wire_type::varint);
  put_varint(out, value);
}

inline void put_field(std::string& out, std::uint32_t number, std::int64_t value) {
  put_field(out, number, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

inline void put_field(std::string& out, std::uint32_t number, double value) {
  put_tag(out, number, wire_type::eight_bytes);
  put_little_endian(out, std::bit_cast<std::uint64_t>(value));
}

inline void put_field(std::string& out, std::uint32_t number, std::string_view value) {
  put_tag(out, number, wire_type::length_delimited);
  put_varint(out, value.size());
  out += value;
}

}  // namespace tine::trace
