// The fallback for architectures whose registers tine does not know; base/interrupted.hpp says what the functions are
// for. Profiles have no samples outside of roots, a signal may end a waiting system call with EINTR, and an access
// behind an array that hits a guard page is reported as a stack overflow.
#pragma once

#include <tine/detail/base/macros.hpp>

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

}  // namespace tine::base::portable
