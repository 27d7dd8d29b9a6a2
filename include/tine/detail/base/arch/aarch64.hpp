// Instructions of aarch64; detail/base/arch.hpp says what the functions are for.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tine::base::arch {

/// Returns the frequency of the generic timer in Hz, as the firmware states it: 24 MHz to 1 GHz.
inline std::uint64_t timer_frequency() noexcept {
  std::uint64_t hertz;
  asm("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz;
}

/// Returns the power of two by which `counter` multiplies the generic timer, so that a tick takes 0.5 to 1 ns on every machine, as on
/// x86-64. The scheduler's and the loops' constants are in ticks.
inline unsigned timer_shift() noexcept {
  constexpr int gigahertz_bits = 30;
  const int bits = static_cast<int>(std::bit_width(timer_frequency()));
  return static_cast<unsigned>(bits > gigahertz_bits ? 0 : gigahertz_bits + 1 - bits);
}

/// Returns the generic timer in ticks. Neighbouring instructions may drift past the reading, as on x86-64.
inline std::uint64_t counter() noexcept {
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count << timer_shift();
}

/// Returns what `counter` adds in a microsecond.
inline double counter_rate() noexcept { return static_cast<double>(timer_frequency() << timer_shift()) * 1e-6; }

/// Waits until all earlier instructions have been executed, loads with their values.
inline void settle() noexcept { asm volatile("dsb ishld\n\tisb" : : : "memory"); }

/// `isb` refetches the instructions behind it, which takes as long as x86's `pause`. `yield` does nothing on cores without hardware
/// threads: a loop of it takes the memory from the thread that it waits for.
inline void pause() noexcept { asm volatile("isb" : : : "memory"); }

/// Returns the value such that the compiler does not know how it was computed.
template <class T>
TINE_ALWAYS_INLINE T opaque_fraction(T value) noexcept {
  asm("" : "+w"(value));
  return value;
}

// TINE_HOT_BASE makes an address in a register, and TINE_HOT is an operand relative to it: a word of the block at an offset.
//
// Code of an executable that holds tine reaches the block at an offset from tpidr_el0 that the linker puts into each access. 12 bits are
// enough, unless the program's own initialised thread-locals take 4 KiB: then TINE_LARGE_TLS has to be defined. The instruction in the
// section .text.tine_hot_is_near, which never runs, makes the linker say so. No checked relocation of 12 bits is known to all linkers, but
// one of 24 bits is, and the addend takes it to its end. Other code loads the offset first.
#if !defined(TINE_STATIC) || (defined(__PIC__) && !defined(__PIE__))
#define TINE_HOT_BASE(p)                             \
  "adrp " p ", :gottprel:tine_hot\n\tldr " p ", [" p \
  ", #:gottprel_lo12:tine_hot]\n\t"                  \
  "mrs %[thread], tpidr_el0\n\tadd " p ", " p ", %[thread]\n\t"
#define TINE_HOT(p, at) "[" p ", #" at "]"
#define TINE_HOT_SCRATCH , [thread] "=&r"(thread)
#define TINE_HOT_DECLARE std::uintptr_t thread;
#elif defined(TINE_LARGE_TLS)
#define TINE_HOT_BASE(p)                  \
  "mrs " p ", tpidr_el0\n\tadd " p ", " p \
  ", #:tprel_hi12:tine_hot, lsl #12\n\t"  \
  "add " p ", " p ", #:tprel_lo12_nc:tine_hot\n\t"
#define TINE_HOT(p, at) "[" p ", #" at "]"
#define TINE_HOT_SCRATCH
#define TINE_HOT_DECLARE
#else
#define TINE_HOT_BASE(p) "mrs " p ", tpidr_el0\n\t"
#define TINE_HOT(p, at) "[" p ", #:tprel_lo12_nc:tine_hot+" at "]"
#define TINE_HOT_SCRATCH
#define TINE_HOT_DECLARE
asm(".pushsection .text.tine_hot_is_near, \"axGR\", @progbits, tine_hot_is_near, comdat\n"
    "add x0, x0, #:tprel_hi12:tine_hot+0xfff0ff, lsl #12\n"  // out of range if the last of the 256 bytes is beyond 4 KiB
    ".popsection");
#endif

// Each function is one inline assembly, from the thread's register to the access, because a fiber may wake on another thread wherever the
// compiler calls a function. A signal handler on this thread may run between its instructions. It never moves a fiber, and finds each word
// as it was before or after its one access.
namespace hot {

/// Returns the word at that offset in the block.
template <class T, unsigned At>
TINE_ALWAYS_INLINE T load() noexcept {
  TINE_HOT_DECLARE
  T w;
  asm volatile(TINE_HOT_BASE("%[w]") "ldr %[w], " TINE_HOT("%[w]", "%c[at]")
               : [w] "=&r"(w)TINE_HOT_SCRATCH
               : [at] "i"(At));
  return w;
}

/// As `load`. All accesses before it in the program come first.
template <class T, unsigned At>
TINE_ALWAYS_INLINE T load_in_order() noexcept {
  TINE_HOT_DECLARE
  T w;
  asm volatile(TINE_HOT_BASE("%[w]") "ldr %[w], " TINE_HOT("%[w]", "%c[at]")
               : [w] "=&r"(w)TINE_HOT_SCRATCH
               : [at] "i"(At)
               : "memory");
  return w;
}

/// Stores the word at that offset. All stores before it in the program come first for this thread.
template <unsigned At>
TINE_ALWAYS_INLINE void store_in_order(std::byte* word) noexcept {
  TINE_HOT_DECLARE
  std::uintptr_t p;
  asm volatile(TINE_HOT_BASE("%[p]") "str %[word], " TINE_HOT("%[p]", "%c[at]")
               : [p] "=&r"(p)TINE_HOT_SCRATCH
               : [word] "r"(word), [at] "i"(At)
               : "memory");
}

/// Stores the word at that offset.
template <unsigned At>
TINE_ALWAYS_INLINE void store(std::uintptr_t word) noexcept {
  TINE_HOT_DECLARE
  std::uintptr_t p;
  asm volatile(TINE_HOT_BASE("%[p]") "str %[word], " TINE_HOT("%[p]", "%c[at]")
               : [p] "=&r"(p)TINE_HOT_SCRATCH
               : [word] "r"(word), [at] "i"(At));
}

/// Stores a number of 32 bits at that offset, in program order with all other accesses of this thread.
template <unsigned At, int Value>
TINE_ALWAYS_INLINE void store_number_in_order() noexcept {
  TINE_HOT_DECLARE
  std::uintptr_t p;
  asm volatile(TINE_HOT_BASE("%[p]") "str %w[v], " TINE_HOT("%[p]", "%c[at]")
               : [p] "=&r"(p)TINE_HOT_SCRATCH
               : [v] "rZ"(Value), [at] "i"(At)
               : "memory");
}

/// Subtracts 1 from the number of 32 bits at that offset. Returns true if it is negative then. No signal handler may access the number.
template <unsigned At>
TINE_ALWAYS_INLINE bool count_down() noexcept {
  TINE_HOT_DECLARE
  std::uintptr_t p;
  int n;
  asm volatile(TINE_HOT_BASE("%[p]") "ldr %w[n], " TINE_HOT(
                   "%[p]", "%c[at]") "\n\tsub %w[n], %w[n], #1\n\tstr %w[n], " TINE_HOT("%[p]", "%c[at]")
               : [p] "=&r"(p), [n] "=&r"(n)TINE_HOT_SCRATCH
               : [at] "i"(At));
  return n < 0;
}

/// Returns true if `t` is below the word at that offset. All accesses before it in the program come first for this thread.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_below_in_order(std::byte* t) noexcept {
  return t < load_in_order<std::byte*, At>();
}

/// Returns true if `value` is above the word at that offset. All accesses before it in the program come first for this thread.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_above_in_order(std::uintptr_t value) noexcept {
  return value > load_in_order<std::uintptr_t, At>();
}

/// Returns true if the word at that offset is `l`.
template <unsigned At>
TINE_ALWAYS_INLINE bool is(std::byte* l) noexcept {
  return load<std::byte*, At>() == l;
}

/// Returns true if the word at that offset is not zero. All accesses before it in the program come first for this thread.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_set_in_order() noexcept {
  return load_in_order<std::uintptr_t, At>() != 0;
}

/// Returns true if the `bytes` bytes at `where` do not all lie in a certain range. The word at `Begin` holds the negated begin of this
/// range, that at `Length` its length. (The carry of the first addition says that `where` is not below the range: the end alone could be in
/// the range although the begin is not.)
template <unsigned Begin, unsigned Length>
TINE_ALWAYS_INLINE bool is_outside(std::uintptr_t where, std::size_t bytes) noexcept {
  std::uintptr_t inside;
  const bool is_not_below = __builtin_add_overflow(where, load<std::uintptr_t, Begin>(), &inside);
  return !is_not_below || inside + bytes > load<std::uintptr_t, Length>();
}

/// Returns true if the native stack has grown below the address in the word at that offset. The compiler may remember the answer.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_stack_below() noexcept {
  TINE_HOT_DECLARE
  std::uintptr_t w, sp;
  asm(TINE_HOT_BASE("%[w]") "ldr %[w], " TINE_HOT("%[w]", "%c[at]") "\n\tmov %[sp], sp"
      : [w] "=&r"(w), [sp] "=r"(sp)TINE_HOT_SCRATCH
      : [at] "i"(At));
  return sp < w;
}

/// Returns the address of this thread's block.
TINE_ALWAYS_INLINE std::byte* block() noexcept {
  TINE_HOT_DECLARE
  std::byte* p;
#if defined(TINE_STATIC) && (!defined(__PIC__) || defined(__PIE__)) && !defined(TINE_LARGE_TLS)
  asm volatile(TINE_HOT_BASE("%[p]") "add %[p], %[p], #:tprel_lo12_nc:tine_hot" : [p] "=&r"(p)TINE_HOT_SCRATCH);
#else
  asm volatile(TINE_HOT_BASE("%[p]") : [p] "=&r"(p)TINE_HOT_SCRATCH);
#endif
  return p;
}

/// A fork's two steps of its protocol: `store_in_order<Top>`, and then `is_below_in_order<Other>` with an address.
template <unsigned Top, unsigned Other>
TINE_ALWAYS_INLINE bool store_then_is_below(std::byte* top, std::byte* t) noexcept {
  TINE_HOT_DECLARE
  std::byte* p;
  asm volatile(
      TINE_HOT_BASE("%[p]") "str %[top], " TINE_HOT("%[p]", "%c[at]") "\n\tldr %[p], " TINE_HOT("%[p]", "%c[other]")
      : [p] "=&r"(p)TINE_HOT_SCRATCH
      : [top] "r"(top), [at] "i"(Top), [other] "i"(Other)
      : "memory");
  return t < p;
}

}  // namespace hot

#undef TINE_HOT_BASE
#undef TINE_HOT
#undef TINE_HOT_SCRATCH
#undef TINE_HOT_DECLARE

}  // namespace tine::base::arch
