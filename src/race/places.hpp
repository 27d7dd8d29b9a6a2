// The places in the program that access memory, as 16-bit numbers for the shadow. Only the thread that holds the
// detector adds places.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstdint>

// The caller keeps its values in registers over a call that is rare. Only code of this library calls such a function.
#if defined(__clang__)
#define TINE_PRESERVE_MOST __attribute__((preserve_most))
#else
#define TINE_PRESERVE_MOST
#endif

namespace tine::detail {

/// A number for a return address; all places beyond the capacity share the number 0, "not known".
class place_table {
 public:
  TINE_ALWAYS_INLINE static std::uint16_t number_of(std::uintptr_t return_address) noexcept {
    const auto at = static_cast<std::uint16_t>((return_address * multiplier) >> 48);
    if (addresses_[at] == return_address) [[likely]]
      return at;
    return insert(return_address, at);
  }
  static std::uintptr_t address_of(std::uint16_t number) noexcept { return number != 0 ? addresses_[number] : 0; }

 private:
  static constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;
  TINE_PRESERVE_MOST TINE_NOINLINE static std::uint16_t insert(std::uintptr_t return_address,
                                                               std::uint16_t at) noexcept;

  static std::uintptr_t addresses_[1 << 16];
};

}  // namespace tine::detail

#undef TINE_PRESERVE_MOST
