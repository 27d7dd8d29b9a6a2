// The registers and the system calls of Linux on aarch64, for signal handlers; base/interrupted.hpp says what the
// functions are for.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <sys/syscall.h>
#include <ucontext.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace tine::base::aarch64 {

inline constexpr bool knows_registers = true;
// poll is ppoll here: the kernel keeps nothing of it, and its first argument is lost
inline constexpr bool continues_poll = false;

inline std::uintptr_t program_counter(const void* where) noexcept {
  return static_cast<const ucontext_t*>(where)->uc_mcontext.pc;
}
inline std::uintptr_t stack_pointer(const void* where) noexcept {
  return static_cast<const ucontext_t*>(where)->uc_mcontext.sp;
}
inline std::uintptr_t frame_pointer(const void* where) noexcept {
  return static_cast<const ucontext_t*>(where)->uc_mcontext.regs[29];
}

inline constexpr std::size_t stack_pointer_in_context = offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, sp);

inline bool ends_a_call(const void* where) noexcept {
  const std::uintptr_t at = program_counter(where);
  const auto result = static_cast<std::int64_t>(static_cast<const ucontext_t*>(where)->uc_mcontext.regs[0]);
  if (result != -EINTR || (at & 4095) < 4) return false;  // don't read the page before, which may not be mapped
  constexpr std::uint32_t supervisor_call = 0xd4000001;
  return from_word<const std::uint32_t>(at)[-1] == supervisor_call;
}

/// Register 8 keeps the call's number.
inline bool continue_call(void* where) noexcept {
  if (!ends_a_call(where)) return false;
  auto& registers = static_cast<ucontext_t*>(where)->uc_mcontext.regs;
  constexpr std::uint64_t absolute_time = 1;  // TIMER_ABSTIME, in the second argument
  const bool sleeps_on = registers[8] == SYS_clock_nanosleep && (registers[1] & absolute_time) == 0;
  if (registers[8] != SYS_nanosleep && !sleeps_on) return false;
  register long number asm("x8") = SYS_restart_syscall;
  register long result asm("x0");
  asm volatile("svc #0" : "=r"(result) : "r"(number) : "memory");
  if (result == -ENOSYS) return false;  // an emulator that has no such call
  registers[0] = static_cast<std::uint64_t>(result);
  return true;
}

/// jump_fcontext stores 176 bytes.
TINE_ALWAYS_INLINE void store_bound(void*& at) noexcept { asm volatile("sub %0, sp, #256" : "=r"(at) : : "memory"); }

}  // namespace tine::base::aarch64
