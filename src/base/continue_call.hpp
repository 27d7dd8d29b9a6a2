// Lets a signal handler recognise and continue the system call that its signal interrupted. Linux on x86-64.
#pragma once

#include <tine/detail/base/object_at.hpp>

#include <sys/syscall.h>
#include <ucontext.h>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace tine::base {

/// Returns true if the interrupted code waited in a system call that the kernel is going to end with EINTR. (Calls that the
/// kernel restarts itself are not recognised: there the program counter stands before the call again.)
inline bool ends_a_call(const void* where) noexcept {
  const auto& registers = static_cast<const ucontext_t*>(where)->uc_mcontext.gregs;
  const auto at = static_cast<std::uintptr_t>(registers[REG_RIP]);
  if (registers[REG_RAX] != -EINTR || (at & 4095) < 7)
    return false;  // does not read the page before, which may not be mapped
  const auto* const next = from_word<const unsigned char>(at);
  return next[-2] == 0x0f && next[-1] == 0x05;  // syscall
}

/// Continues the interrupted call, inside the handler, and leaves its result where the interrupted code expects it. Returns false,
/// and does nothing, if the call is not known to be nanosleep, clock_nanosleep with a relative time, or poll.
///
/// For these calls the kernel keeps what is left to do until a handler returns, and restart_syscall continues with it. If another
/// handler has returned meanwhile, restart_syscall answers EINTR, which is then right. The saved registers do not tell which call
/// it was. glibc up to 2.40 loads the call's number by the instruction before `syscall`; if that is another instruction, the call
/// is not known.
inline bool continue_call(void* where) noexcept {
  if (!ends_a_call(where)) return false;
  auto& registers = static_cast<ucontext_t*>(where)->uc_mcontext.gregs;
  const auto* const next = from_word<const unsigned char>(static_cast<std::uintptr_t>(registers[REG_RIP]));
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

}  // namespace tine::base
