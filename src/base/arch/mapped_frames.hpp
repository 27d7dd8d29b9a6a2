// Where the frames of code with stack maps lie (managed/abi.h). This depends on the processor for which LLVM makes the code, whatever TINE_ARCH is.
//
// `returns` is the place on the stack where the return address of a call lies. A location in a stack map is relative to a register, as the
// caller sees it.
#pragma once

#include <tine/detail/base/object_at.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::base {

#if defined(__x86_64__)

/// DWARF's number of the register: the stack pointer.
inline constexpr std::uint16_t map_register = 7;

/// Returns the value of that register in the code to which `returns` leads.
inline const std::byte* frame_of_caller(const std::byte* returns) noexcept { return returns + sizeof(void*); }

/// Returns the place where the return address of a frame lies, which has so many bytes.
inline const std::byte* returns_of(const std::byte* frame, std::uint64_t bytes) noexcept { return frame + bytes; }

#else

/// DWARF's number of the register: the frame pointer, of aarch64. It points to the caller's frame pointer and the return address.
inline constexpr std::uint16_t map_register = 29;

inline const std::byte* frame_of_caller(const std::byte* returns) noexcept {
  return from_word<const std::byte>(word_at(returns - sizeof(void*)));
}

inline const std::byte* returns_of(const std::byte* frame, std::uint64_t) noexcept { return frame + sizeof(void*); }

#endif

}  // namespace tine::base
