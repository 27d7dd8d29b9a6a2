// Where the frames of code with stack maps lie (managed/abi.h). This depends on the processor for which LLVM makes the
// code, whatever TINE_ARCH is.
#pragma once

#include <tine/detail/base/object_at.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::base {

/// A frame of compiled code during a call: where the call returns to, and the registers after that return.
struct mapped_frame {
  std::uintptr_t return_address;
  const std::byte* stack_pointer;
  const std::byte* frame_pointer;  ///< of aarch64
};

#if defined(__x86_64__)

/// DWARF's numbers of the registers to which locations are relative.
inline constexpr std::uint16_t stack_register = 7, frame_register = stack_register;

/// Returns the frame of the code that has called a slow path. `returns`: see tine_abi_poll_frames.
inline mapped_frame caller_of_slow_path(const std::byte* returns) noexcept {
  return {word_at(returns), returns + sizeof(void*), nullptr};
}

/// Returns the frame of the caller of the function with this frame, which has so many bytes.
inline mapped_frame caller_of(const mapped_frame& f, std::uint64_t bytes) noexcept {
  return caller_of_slow_path(f.stack_pointer + bytes);
}

#else

inline constexpr std::uint16_t stack_register = 31, frame_register = 29;

inline mapped_frame caller_of_slow_path(const std::byte* returns) noexcept {
  return {word_at(returns), from_word<const std::byte>(word_at(returns + sizeof(void*))),
          from_word<const std::byte>(word_at(returns + 2 * sizeof(void*)))};
}

// The frame pointer points to the caller's frame pointer and the return address.
inline mapped_frame caller_of(const mapped_frame& f, std::uint64_t bytes) noexcept {
  return {word_at(f.frame_pointer + sizeof(void*)), f.stack_pointer + bytes,
          from_word<const std::byte>(word_at(f.frame_pointer))};
}

#endif

}  // namespace tine::base
