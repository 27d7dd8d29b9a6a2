// Strings of Parallel ML, as ml.h describes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace tine::ml {

/// Returns the bytes of a string. They stay where they are; the collector moves nothing.
inline std::string_view text_of(const void* s) noexcept {
  std::int64_t length = 0;
  std::memcpy(&length, s, sizeof length);
  return {static_cast<const char*>(s) + sizeof length, static_cast<std::size_t>(length)};
}

/// Allocates a string of so many bytes, all zero. Ends the program if there is no memory.
void* new_string(std::size_t length) noexcept;

inline char* bytes_of_string(void* s) noexcept { return static_cast<char*>(s) + sizeof(std::int64_t); }

/// Allocates a string with these bytes.
inline void* string_of(std::string_view bytes) noexcept {
  void* const s = new_string(bytes.size());
  if (!bytes.empty()) std::memcpy(bytes_of_string(s), bytes.data(), bytes.size());
  return s;
}

}  // namespace tine::ml
