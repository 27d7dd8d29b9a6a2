// Instructions of aarch64; detail/base/arch.hpp says what the functions are for.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tine::base::aarch64 {

/// Returns the frequency of the generic timer in Hz, as the firmware states it: 24 MHz to 1 GHz.
inline std::uint64_t timer_frequency() noexcept {
  std::uint64_t hertz;
  asm("mrs %0, cntfrq_el0" : "=r"(hertz));
  return hertz;
}

/// Returns the power of two by which `counter` multiplies the generic timer, so that a tick takes 0.5 to 1 ns on every
/// machine, as on x86-64. The scheduler's and the loops' constants are in ticks.
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

/// `isb` refetches the instructions behind it, which takes as long as x86's `pause`. `yield` does nothing on cores
/// without hardware threads: a loop of it takes the memory from the thread that it waits for.
inline void pause() noexcept { asm volatile("isb" : : : "memory"); }

/// Returns the value such that the compiler does not know how it was computed.
template <class T>
TINE_ALWAYS_INLINE T opaque_fraction(T value) noexcept {
  asm("" : "+w"(value));
  return value;
}

// Code of an executable that holds tine reaches the block at an offset from tpidr_el0 that the linker puts into each
// access. 12 bits are enough, unless the program's own initialised thread-locals take 4 KiB: then TINE_LARGE_TLS has to
// be defined. The instruction in the section .text.tine_hot_is_near, which never runs, makes the linker say so. No
// checked relocation of 12 bits is known to all linkers, but one of 24 bits is, and the addend takes it to its end.
// Other code loads the offset first.
#if !defined(TINE_STATIC) || (defined(__PIC__) && !defined(__PIE__))
#define TINE_HOT_AT "[%[block], %[at]]"
#elif defined(TINE_LARGE_TLS)
#define TINE_HOT_AT "[%[block], %[at]]"
#else
#define TINE_HOT_AT "[%[block], #:tprel_lo12_nc:tine_hot+%c[at]]"
asm(".pushsection .text.tine_hot_is_near, \"axGR\", @progbits, tine_hot_is_near, comdat\n"
    "add x0, x0, #:tprel_hi12:tine_hot+0xfff0ff, lsl #12\n"  // out of range if the last of the 256 bytes is beyond 4 KiB
    ".popsection");
#endif

// Thread pointers are read, and words are accessed, by inline assembly that the compiler does not move over calls. A
// signal handler on this thread may run between any two instructions. It never moves a fiber, and finds each word as it
// was before or after its one access.
namespace hot {

/// The hot words of this thread, from an address that is near to them. It is good until a function is called that may
/// run user code: then the fiber may wake on another thread.
class block {
 public:
  TINE_ALWAYS_INLINE block() noexcept {
#if !defined(TINE_STATIC) || (defined(__PIC__) && !defined(__PIE__))
    std::uintptr_t thread;
    asm volatile(
        "adrp %[near], :gottprel:tine_hot\n\tldr %[near], [%[near], #:gottprel_lo12:tine_hot]\n\t"
        "mrs %[thread], tpidr_el0\n\tadd %[near], %[near], %[thread]"
        : [near] "=&r"(near_), [thread] "=&r"(thread));
#elif defined(TINE_LARGE_TLS)
    asm volatile(
        "mrs %[near], tpidr_el0\n\tadd %[near], %[near], #:tprel_hi12:tine_hot, lsl #12\n\t"
        "add %[near], %[near], #:tprel_lo12_nc:tine_hot"
        : [near] "=&r"(near_));
#else
    asm volatile("mrs %[near], tpidr_el0" : [near] "=r"(near_));
#endif
  }
  TINE_ALWAYS_INLINE std::byte* near() const noexcept { return near_; }

 private:
  std::byte* near_;
};

/// Returns the word at that offset in the block.
template <class T, unsigned At>
TINE_ALWAYS_INLINE T load(block b = {}) noexcept {
  T w;
  asm volatile("ldr %[w], " TINE_HOT_AT : [w] "=r"(w) : [block] "r"(b.near()), [at] "i"(At));
  return w;
}

/// As `load`. All accesses before it in the program come first for this thread.
template <class T, unsigned At>
TINE_ALWAYS_INLINE T load_in_order(block b) noexcept {
  T w;
  asm volatile("ldr %[w], " TINE_HOT_AT : [w] "=r"(w) : [block] "r"(b.near()), [at] "i"(At) : "memory");
  return w;
}

/// Stores the word at that offset. All stores before it in the program come first for this thread.
template <unsigned At>
TINE_ALWAYS_INLINE void store_in_order(std::byte* word, block b = {}) noexcept {
  asm volatile("str %[word], " TINE_HOT_AT : : [word] "r"(word), [block] "r"(b.near()), [at] "i"(At) : "memory");
}

/// Stores the word at that offset.
template <unsigned At>
TINE_ALWAYS_INLINE void store(std::uintptr_t word, block b = {}) noexcept {
  asm volatile("str %x[word], " TINE_HOT_AT : : [word] "rZ"(word), [block] "r"(b.near()), [at] "i"(At));
}

/// Stores a number of 32 bits at that offset, in program order with all other accesses of this thread.
template <unsigned At, int Value>
TINE_ALWAYS_INLINE void store_number_in_order(block b = {}) noexcept {
  asm volatile("str %w[v], " TINE_HOT_AT : : [v] "rZ"(Value), [block] "r"(b.near()), [at] "i"(At) : "memory");
}

/// Subtracts 1 from the number of 32 bits at that offset. Returns true if it is negative then. No signal handler may
/// access the number.
template <unsigned At>
TINE_ALWAYS_INLINE bool count_down(block b = {}) noexcept {
  int n;
  asm volatile("ldr %w[n], " TINE_HOT_AT "\n\tsub %w[n], %w[n], #1\n\tstr %w[n], " TINE_HOT_AT
               : [n] "=&r"(n)
               : [block] "r"(b.near()), [at] "i"(At));
  return n < 0;
}

/// Returns true if `t` is below the word at that offset. All accesses before it in the program come first for this
/// thread.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_below_in_order(std::byte* t, block b = {}) noexcept {
  return t < load_in_order<std::byte*, At>(b);
}

/// Returns true if `value` is above the word at that offset. All accesses before it in the program come first for this
/// thread.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_above_in_order(std::uintptr_t value, block b = {}) noexcept {
  return value > load_in_order<std::uintptr_t, At>(b);
}

/// Returns true if the word at that offset is `l`.
template <unsigned At>
TINE_ALWAYS_INLINE bool is(std::byte* l, block b = {}) noexcept {
  return load<std::byte*, At>(b) == l;
}

/// Returns true if the word at that offset is not zero. All accesses before it in the program come first for this
/// thread.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_set_in_order(block b = {}) noexcept {
  return load_in_order<std::uintptr_t, At>(b) != 0;
}

/// Returns true if the `bytes` bytes at `where` do not all lie in a certain range. The word at `Begin` holds the
/// negated begin of this range, that at `Length` its length. (The carry of the first addition says that `where` is not
/// below the range: the end alone could be in the range although the begin is not.)
template <unsigned Begin, unsigned Length>
TINE_ALWAYS_INLINE bool is_outside(std::uintptr_t where, std::size_t bytes, block b = {}) noexcept {
  std::uintptr_t inside;
  const bool is_not_below = __builtin_add_overflow(where, load<std::uintptr_t, Begin>(b), &inside);
  return !is_not_below || inside + bytes > load<std::uintptr_t, Length>(b);
}

/// Returns true if the native stack has grown below the address in the word at that offset. The compiler may remember
/// the answer.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_stack_below(block b = {}) noexcept {
  std::uintptr_t w, sp;
  asm("ldr %[w], " TINE_HOT_AT "\n\tmov %[sp], sp" : [w] "=&r"(w), [sp] "=r"(sp) : [block] "r"(b.near()), [at] "i"(At));
  return sp < w;
}

/// Returns the address of this thread's block.
TINE_ALWAYS_INLINE std::byte* address() noexcept {
  const block b;
#if defined(TINE_STATIC) && (!defined(__PIC__) || defined(__PIE__)) && !defined(TINE_LARGE_TLS)
  std::byte* p;
  asm volatile("add %[p], %[block], #:tprel_lo12_nc:tine_hot" : [p] "=r"(p) : [block] "r"(b.near()));
  return p;
#else
  return b.near();
#endif
}

}  // namespace hot

#undef TINE_HOT_AT

}  // namespace tine::base::aarch64
