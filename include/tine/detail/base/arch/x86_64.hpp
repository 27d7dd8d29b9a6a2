// Instructions of x86-64; detail/base/arch.hpp says what the functions are for.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tine::base::x86_64 {

/// Returns the time-stamp counter, constant-rate on every x86-64 of the last fifteen years. A reading takes eight
/// nanoseconds and no call. Not a serialising read: neighbouring instructions may drift past it by a few nanoseconds.
inline std::uint64_t counter() noexcept { return __builtin_ia32_rdtsc(); }

/// Returns what `counter` adds in a microsecond, or 0 if only a measurement can say so.
inline double counter_rate() noexcept { return 0; }

/// Waits until all earlier instructions have been executed, loads with their values.
inline void settle() noexcept { __builtin_ia32_lfence(); }

inline void pause() noexcept { __builtin_ia32_pause(); }

/// Returns the value such that the compiler does not know how it was computed.
template <class T>
TINE_ALWAYS_INLINE T opaque_fraction(T value) noexcept {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    asm("" : "+x"(value));
  } else {
    asm("" : "+t"(value));
  }
  return value;
}

// Code of an executable that holds tine reaches the block at a constant offset from fs. Other code loads the offset
// first; the linker turns that load into a constant where it can.
#if !defined(TINE_STATIC) || (defined(__PIC__) && !defined(__PIE__))
#define TINE_HOT_OFFSET "movq tine_hot@gottpoff(%%rip), %[offset]\n\t"
#define TINE_HOT(displacement) "%%fs:" displacement "(%[offset])"
#define TINE_HOT_SCRATCH , [offset] "=&r"(offset)
#define TINE_HOT_ONLY_SCRATCH [offset] "=&r"(offset)
#define TINE_HOT_DECLARE void* offset;
#define TINE_HOT_ADDRESS TINE_HOT_OFFSET "movq %%fs:0, %[p]\n\taddq %[offset], %[p]"
#else
#define TINE_HOT_OFFSET
#define TINE_HOT(displacement) "%%fs:tine_hot@tpoff+" displacement
#define TINE_HOT_SCRATCH
#define TINE_HOT_ONLY_SCRATCH
#define TINE_HOT_DECLARE
#define TINE_HOT_ADDRESS "movq %%fs:0, %[p]\n\tleaq tine_hot@tpoff(%[p]), %[p]"
#endif

namespace hot {

/// The hot words of this thread. Nothing has to be known of them: each access is relative to fs.
class block {};

/// Returns the word at that offset in the block.
template <class T, unsigned At>
TINE_ALWAYS_INLINE T load(block = {}) noexcept {
  TINE_HOT_DECLARE
  T w;
  asm volatile(TINE_HOT_OFFSET "movq " TINE_HOT("%c[at]") ", %[w]" : [w] "=r"(w)TINE_HOT_SCRATCH : [at] "i"(At));
  return w;
}

/// Stores the word at that offset. All stores before it in the program come first.
template <unsigned At>
TINE_ALWAYS_INLINE void store_in_order(std::byte* word, block = {}) noexcept {
  TINE_HOT_DECLARE
  asm volatile(TINE_HOT_OFFSET "movq %[word], " TINE_HOT("%c[at]")
               : TINE_HOT_ONLY_SCRATCH
               : [word] "r"(word), [at] "i"(At)
               : "memory");
}

/// Stores the word at that offset.
template <unsigned At>
TINE_ALWAYS_INLINE void store(std::uintptr_t word, block = {}) noexcept {
  TINE_HOT_DECLARE
  asm volatile(TINE_HOT_OFFSET "movq %[word], " TINE_HOT("%c[at]")
               : TINE_HOT_ONLY_SCRATCH
               : [word] "r"(word), [at] "i"(At));
}

/// Stores a number of 32 bits at that offset, in program order with all other accesses.
template <unsigned At, int Value>
TINE_ALWAYS_INLINE void store_number_in_order(block = {}) noexcept {
  TINE_HOT_DECLARE
  asm volatile(TINE_HOT_OFFSET "movl %[v], " TINE_HOT("%c[at]")
               : TINE_HOT_ONLY_SCRATCH
               : [v] "i"(Value), [at] "i"(At)
               : "memory");
}

/// Subtracts 1 from the number of 32 bits at that offset. Returns true if it is negative then.
template <unsigned At>
TINE_ALWAYS_INLINE bool count_down(block = {}) noexcept {
  TINE_HOT_DECLARE
  bool is_negative;
  asm volatile(TINE_HOT_OFFSET "decl " TINE_HOT("%c[at]") : "=@ccs"(is_negative)TINE_HOT_SCRATCH : [at] "i"(At));
  return is_negative;
}

/// Returns true if `t` is below the word at that offset. All accesses before it in the program come first.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_below_in_order(std::byte* t, block = {}) noexcept {
  TINE_HOT_DECLARE
  bool below;
  asm volatile(TINE_HOT_OFFSET "cmpq " TINE_HOT("%c[at]") ", %[t]"
               : "=@ccb"(below)TINE_HOT_SCRATCH
               : [t] "r"(t), [at] "i"(At)
               : "memory");
  return below;
}

/// Returns true if `value` is above the word at that offset. All accesses before it in the program come first.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_above_in_order(std::uintptr_t value, block = {}) noexcept {
  TINE_HOT_DECLARE
  bool above;
  asm volatile(TINE_HOT_OFFSET "cmpq " TINE_HOT("%c[at]") ", %[value]"
               : "=@cca"(above)TINE_HOT_SCRATCH
               : [at] "i"(At), [value] "r"(value)
               : "memory");
  return above;
}

/// Returns true if the word at that offset is `l`, which had better be a small constant.
template <unsigned At>
TINE_ALWAYS_INLINE bool is(std::byte* l, block = {}) noexcept {
  TINE_HOT_DECLARE
  bool equal;
  asm volatile(TINE_HOT_OFFSET "cmpq %[l], " TINE_HOT("%c[at]")
               : "=@cce"(equal)TINE_HOT_SCRATCH
               : [l] "er"(l), [at] "i"(At));
  return equal;
}

/// Returns true if the word at that offset is not zero. All accesses before it in the program come first.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_set_in_order(block = {}) noexcept {
  TINE_HOT_DECLARE
  bool set;
  asm volatile(TINE_HOT_OFFSET "cmpq $0, " TINE_HOT("%c[at]")
               : "=@ccne"(set)TINE_HOT_SCRATCH
               : [at] "i"(At)
               : "memory");
  return set;
}

/// Returns true if the `bytes` bytes at `where` do not all lie in a certain range. The word at `Begin` holds the
/// negated begin of this range, that at `Length` its length. (The carry of the first addition says that `where` is not
/// below the range: the end alone could be in the range although the begin is not.)
template <unsigned Begin, unsigned Length>
TINE_ALWAYS_INLINE bool is_outside(std::uintptr_t where, std::size_t bytes, block = {}) noexcept {
  TINE_HOT_DECLARE
  asm volatile goto(TINE_HOT_OFFSET "addq " TINE_HOT("%c[begin]") ", %[where]\n\tjnc %l[outside]\n\taddq %[bytes], %[where]\n\t"
                           "cmpq " TINE_HOT("%c[length]") ", %[where]\n\tja %l[outside]"
           : [where] "+&r"(where)TINE_HOT_SCRATCH
           : [begin] "i"(Begin), [length] "i"(Length), [bytes] "re"(bytes)
           : "cc"
           : outside);
  return false;
outside:
  return true;
}

/// Returns true if the native stack has grown below the address in the word at that offset. The compiler may remember
/// the answer.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_stack_below(block = {}) noexcept {
  TINE_HOT_DECLARE
  bool below;
  asm(TINE_HOT_OFFSET "cmpq " TINE_HOT("%c[at]") ", %%rsp" : "=@ccb"(below)TINE_HOT_SCRATCH : [at] "i"(At));
  return below;
}

/// Returns the address of this thread's block.
TINE_ALWAYS_INLINE std::byte* address() noexcept {
  TINE_HOT_DECLARE
  std::byte* p;
  asm volatile(TINE_HOT_ADDRESS : [p] "=&r"(p)TINE_HOT_SCRATCH : : "cc");
  return p;
}

}  // namespace hot

#undef TINE_HOT_OFFSET
#undef TINE_HOT
#undef TINE_HOT_SCRATCH
#undef TINE_HOT_ONLY_SCRATCH
#undef TINE_HOT_DECLARE
#undef TINE_HOT_ADDRESS

}  // namespace tine::base::x86_64
