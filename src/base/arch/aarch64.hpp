// The registers and the system calls of Linux on aarch64, for signal handlers; base/interrupted.hpp says what the
// functions are for. The floating-point environment; see base/fp_environment.hpp.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <asm/sigcontext.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

// The floating-point environment. FPCR has the control, in bits 8 to 26; extensions use other bits, and these stay as
// they are. FPSR has the sticky flags: bits 0 to 4, and 7 for denormal operands.

using fp_words = std::uint32_t;
inline constexpr bool jump_keeps_fp = false;

inline constexpr std::uint64_t fpcr_control = 0x07ffff00;
inline constexpr std::uint64_t sticky_flags = 0x9f;

inline std::uint64_t fpcr() noexcept {
  std::uint64_t w;
  asm volatile("mrs %0, fpcr" : "=r"(w) : : "memory");
  return w;
}
inline std::uint64_t fpsr() noexcept {
  std::uint64_t w;
  asm volatile("mrs %0, fpsr" : "=r"(w) : : "memory");
  return w;
}
inline void set_fpsr(std::uint64_t w) noexcept { asm volatile("msr fpsr, %0" : : "r"(w) : "memory"); }

inline fp_words packed(std::uint64_t control) noexcept { return static_cast<fp_words>((control & fpcr_control) >> 8); }
inline std::uint32_t packed_flags(std::uint64_t w) noexcept {
  return static_cast<std::uint32_t>((w & 0x1f) | (w >> 7 & 1) << 5);
}
inline std::uint64_t fpsr_of(std::uint32_t flags) noexcept { return (flags & 0x1f) | (flags >> 5 & 1) << 7; }

inline fp_words fp_control() noexcept { return packed(fpcr()); }
inline std::uint32_t fp_flags() noexcept { return packed_flags(fpsr()); }
inline void fold_fp_flags() noexcept {}

inline void raise_fp(std::uint32_t flags) noexcept {
  if (flags != 0) set_fpsr(fpsr() | fpsr_of(flags));
}

inline void enter_fp(fp_words words, std::uint32_t flags) noexcept {
  const std::uint64_t before = fpcr(), after = (before & ~fpcr_control) | std::uint64_t{words} << 8;
  if (before != after) asm volatile("msr fpcr, %0" : : "r"(after) : "memory");
  set_fpsr((fpsr() & ~sticky_flags) | fpsr_of(flags));
}

/// The kernel keeps the registers of the interrupted code in records, one after the other; the last one is empty.
inline void enter_interrupted_fp(const void* where) noexcept {
  const auto* at = static_cast<const ucontext_t*>(where)->uc_mcontext.__reserved;
  for (;;) {
    _aarch64_ctx head;
    std::memcpy(&head, at, sizeof head);
    if (head.magic == 0 || head.size == 0) return;
    if (head.magic == FPSIMD_MAGIC) {
      fpsimd_context saved;
      std::memcpy(&saved, at, sizeof saved);
      return enter_fp(packed(saved.fpcr), 0);
    }
    at += head.size;
  }
}

}  // namespace tine::base::aarch64
