// The registers and the system calls of Linux on x86-64; base/interrupted.hpp says what the functions are for.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <sys/syscall.h>
#include <ucontext.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tine::base::x86_64 {

inline constexpr bool knows_registers = true;
inline constexpr bool continues_poll = true;

inline std::uintptr_t register_of(const void* where, int which) noexcept {
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(where)->uc_mcontext.gregs[which]);
}

inline std::uintptr_t program_counter(const void* where) noexcept { return register_of(where, REG_RIP); }
inline std::uintptr_t stack_pointer(const void* where) noexcept { return register_of(where, REG_RSP); }
inline std::uintptr_t frame_pointer(const void* where) noexcept { return register_of(where, REG_RBP); }

inline constexpr std::size_t stack_pointer_in_context =
    offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, gregs) + REG_RSP * sizeof(greg_t);

inline bool ends_a_call(const void* where) noexcept {
  const std::uintptr_t at = program_counter(where);
  if (static_cast<const ucontext_t*>(where)->uc_mcontext.gregs[REG_RAX] != -EINTR || (at & 4095) < 7)
    return false;  // does not read the page before, which may not be mapped
  const auto* const next = from_word<const unsigned char>(at);
  return next[-2] == 0x0f && next[-1] == 0x05;  // syscall
}

/// The saved registers do not tell which call it was. glibc up to 2.40 loads the call's number by the instruction
/// before `syscall`; if that is another instruction, the call is not known.
inline bool continue_call(void* where) noexcept {
  if (!ends_a_call(where)) return false;
  auto& registers = static_cast<ucontext_t*>(where)->uc_mcontext.gregs;
  const auto* const next = from_word<const unsigned char>(program_counter(where));
  if (next[-7] != 0xb8) return false;  // mov $number, %eax
  std::uint32_t number = 0;
  std::memcpy(&number, next - 6, sizeof number);
  constexpr std::uintptr_t absolute_time = 1;  // TIMER_ABSTIME, in the second argument
  const bool sleeps_on = number == SYS_clock_nanosleep && (registers[REG_RSI] & absolute_time) == 0;
  if (number != SYS_nanosleep && !sleeps_on && number != SYS_poll) return false;
  long result = 0;
  asm volatile("syscall" : "=a"(result) : "a"(SYS_restart_syscall) : "rcx", "r11", "memory");
  registers[REG_RAX] = result;
  return true;
}

/// jump_fcontext pushes a return address and 64 bytes.
TINE_ALWAYS_INLINE void store_bound(void*& at) noexcept {
  asm volatile("leaq -128(%%rsp), %0" : "=r"(at) : : "memory");
}

}  // namespace tine::base::x86_64
