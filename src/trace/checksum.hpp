// CRC-32 as in zip, PNG and zlib (polynomial 0xEDB88320): it shows whether a section of a profile has changed since it
// was written. It is implemented here, because the runtime, which writes profiles, needs no other library.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tine::trace {

namespace detail {

constexpr std::array<std::uint32_t, 256> crc_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0xEDB88320u : 0u);
    table[byte] = rest;
  }
  return table;
}

}  // namespace detail

/// Returns the checksum of the bytes that had the checksum `before`, followed by `bytes`.
constexpr std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0) noexcept {
  constexpr auto table = detail::crc_table();
  std::uint32_t rest = ~before;
  for (const char c : bytes) rest = (rest >> 8) ^ table[(rest ^ static_cast<unsigned char>(c)) & 0xFFu];
  return ~rest;
}

static_assert(checksum("123456789") == 0xCBF43926u);
static_assert(checksum("6789", checksum("12345")) == checksum("123456789"));

}  // namespace tine::trace
