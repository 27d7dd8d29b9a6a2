// The registers and the system calls of Linux on x86-64, for signal handlers; base/interrupted.hpp says what the
// functions are for. The floating-point environment; see base/fp_environment.hpp.
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
    return false;  // don't read the page before, which may not be mapped
  const auto* const next = from_word<const unsigned char>(at);
  return next[-2] == 0x0f && next[-1] == 0x05;  // syscall
}

/// The saved registers don't tell which call it was. Up to version 2.40, glibc loads the call's number by the
/// instruction before `syscall`. If that is another instruction, we don't know the call.
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

// The floating-point environment: bits 6 to 15 of MXCSR are control, bits 0 to 5 are sticky flags. The x87 unit has the
// same flags in its status word; its control word has the masks of the traps (bits 0 to 5), precision and rounding (8
// to 11).

using fp_words = std::uint32_t;
inline constexpr bool jump_keeps_fp = true;  // MXCSR and the control word of x87

inline constexpr std::uint32_t mxcsr_control = 0xffc0, mxcsr_at_start = 0x1f80;
inline constexpr std::uint32_t x87_control = 0x0f3f, x87_at_start = 0x037f;
inline constexpr std::uint32_t sticky_flags = 0x3f;

inline constexpr fp_words packed(std::uint32_t mxcsr, std::uint32_t x87) noexcept {
  const std::uint32_t sse = (mxcsr ^ mxcsr_at_start) >> 6 & 0x3ff, old = x87 ^ x87_at_start;
  return sse | (old & 0x3f) << 10 | (old >> 8 & 0xf) << 16;
}
inline constexpr std::uint32_t mxcsr_of(fp_words w) noexcept { return (w & 0x3ff) << 6 ^ mxcsr_at_start; }
inline constexpr std::uint32_t x87_of(fp_words w) noexcept {
  return ((w >> 10 & 0x3f) | (w >> 16 & 0xf) << 8) ^ x87_at_start;
}

inline std::uint32_t mxcsr() noexcept {
  std::uint32_t m;
  asm volatile("stmxcsr %0" : "=m"(m) : : "memory");
  return m;
}
inline std::uint16_t x87_control_word() noexcept {
  std::uint16_t w;
  asm volatile("fnstcw %0" : "=m"(w) : : "memory");
  return w;
}
inline std::uint32_t x87_flags() noexcept {
  std::uint16_t w;
  asm volatile("fnstsw %0" : "=a"(w) : : "memory");
  return w & sticky_flags;
}
inline void set_mxcsr(std::uint32_t m) noexcept { asm volatile("ldmxcsr %0" : : "m"(m) : "memory"); }

inline fp_words fp_control() noexcept { return packed(mxcsr(), x87_control_word()); }
inline std::uint32_t fp_flags() noexcept { return (mxcsr() & sticky_flags) | x87_flags(); }

inline void raise_fp(std::uint32_t flags) noexcept {
  const std::uint32_t before = mxcsr();
  if ((flags & ~before) != 0) set_mxcsr(before | flags);
}

/// Programs look for a flag in both units, so it may move from one to the other.
inline void fold_fp_flags() noexcept {
  const std::uint32_t flags = x87_flags();
  if (flags == 0) [[likely]]
    return;
  raise_fp(flags);
  asm volatile("fnclex" : : : "memory");
}

inline void enter_fp(fp_words words, std::uint32_t flags) noexcept {
  fold_fp_flags();  // first: under another control word, a flag of x87 may trap
  const std::uint32_t wanted = mxcsr_of(words) | flags;
  if (mxcsr() != wanted) set_mxcsr(wanted);
  const auto before = x87_control_word();
  const auto after = static_cast<std::uint16_t>((before & ~x87_control) | (x87_of(words) & x87_control));
  if (before != after) asm volatile("fldcw %0" : : "m"(after) : "memory");
}

/// Returns the control word of x87 without a change for a few instructions. To make a long double an integer, compilers
/// let x87 round toward zero meanwhile; floorl and ceill do the like. The program's own mode is then in MXCSR, because
/// fesetround sets both. (A program may set MXCSR alone; x87 rounds to nearest then, and we leave it so.)
inline constexpr std::uint32_t lasting_x87(std::uint32_t mxcsr, std::uint32_t x87) noexcept {
  const std::uint32_t program = mxcsr >> 13 & 3, now = x87 >> 10 & 3;  // 0: to nearest
  return now == 0 ? x87 : (x87 & ~0xc00U) | program << 10;
}

/// The kernel starts a handler with the words of a new process.
inline void enter_interrupted_fp(const void* where) noexcept {
  if (const auto* const saved = static_cast<const ucontext_t*>(where)->uc_mcontext.fpregs)
    enter_fp(packed(saved->mxcsr, lasting_x87(saved->mxcsr, saved->cwd)), 0);
}

}  // namespace tine::base::x86_64
