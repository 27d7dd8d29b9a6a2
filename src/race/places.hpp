// The places in the program that access memory, as 16-bit numbers for the shadow. Only the thread that holds the
// detector adds places.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::detail {

/// A number for a return address; all places beyond the capacity share the number 0, "not known".
class place_table {
 public:
  static std::uint16_t number_of(std::uintptr_t return_address) noexcept {
    const std::uint16_t first = first_number_of(return_address);
    return is_at(first, return_address) ? first : find(return_address, first);
  }
  static std::uintptr_t address_of(std::uint16_t number) noexcept { return number != 0 ? addresses_[number] : 0; }

  /// Returns the number that the place has, unless another one had it before: its lowest bits. So places of a program
  /// with less than 64 KiB of code have different ones.
  TINE_ALWAYS_INLINE static std::uint16_t first_number_of(std::uintptr_t return_address) noexcept {
    return static_cast<std::uint16_t>(return_address);
  }
  TINE_ALWAYS_INLINE static bool is_at(std::uint16_t number, std::uintptr_t return_address) noexcept {
    return addresses_[number] == return_address;
  }

 private:
  /// Finds or adds a place, from that number on.
  TINE_NOINLINE static std::uint16_t find(std::uintptr_t return_address, std::uint16_t at) noexcept;

  static std::uintptr_t addresses_[1 << 16];
};

}  // namespace tine::detail
