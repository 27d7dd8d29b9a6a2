// The fallback for architectures whose registers tine doesn't know; base/interrupted.hpp says what the functions are
// for, and base/fp_environment.hpp those of the floating-point environment. The price: profiles have no samples outside
// of roots, and a signal may end a waiting system call with EINTR. An access behind an array that hits a guard page is
// reported as a stack overflow.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cfenv>
#include <cstddef>
#include <cstdint>

namespace tine::base::portable {

inline constexpr bool knows_registers = false;
inline constexpr bool continues_poll = false;
inline constexpr std::size_t stack_pointer_in_context = 0;

inline std::uintptr_t program_counter(const void*) noexcept { return 0; }
inline std::uintptr_t stack_pointer(const void*) noexcept { return 0; }
inline std::uintptr_t frame_pointer(const void*) noexcept { return 0; }

inline bool ends_a_call(const void*) noexcept { return false; }
inline bool continue_call(void*) noexcept { return false; }

/// One KiB is more than the caller's frame and all registers of any architecture.
TINE_ALWAYS_INLINE void store_bound(void*& at) noexcept {
  at = static_cast<std::byte*>(__builtin_frame_address(0)) - 1024;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// The part of the floating-point environment that <cfenv> knows: the rounding mode and the flags. A signal handler has
// the words that the kernel gives it.

using fp_words = std::uint32_t;
inline constexpr bool jump_keeps_fp = false;

inline constexpr int sticky_flags[] = {FE_INVALID, FE_DIVBYZERO, FE_OVERFLOW, FE_UNDERFLOW, FE_INEXACT};

inline fp_words fp_control() noexcept { return static_cast<fp_words>(std::fegetround() ^ FE_TONEAREST); }
inline std::uint32_t fp_flags() noexcept {
  std::uint32_t found = 0, bit = 1;
  for (const int flag : sticky_flags) {
    if (std::fetestexcept(flag) != 0) found |= bit;
    bit *= 2;
  }
  return found;
}
inline void fold_fp_flags() noexcept {}

inline void raise_fp(std::uint32_t flags) noexcept {
  for (const int flag : sticky_flags) {
    const std::fexcept_t set = static_cast<std::fexcept_t>(flag);
    if ((flags & 1) != 0) std::fesetexceptflag(&set, flag);
    flags /= 2;
  }
}

inline void enter_fp(fp_words words, std::uint32_t flags) noexcept {
  std::fesetround(static_cast<int>(words) ^ FE_TONEAREST);
  std::feclearexcept(FE_ALL_EXCEPT);
  raise_fp(flags);
}

inline void enter_interrupted_fp(const void*) noexcept {}

}  // namespace tine::base::portable
