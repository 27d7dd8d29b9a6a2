// The words of the calling thread that a fork reads and writes; tine/managed/abi.h describes them. Each access is one
// assembly statement, because compilers keep the address of a thread-local over calls, and a call may change threads.
#pragma once

#include <tine/managed/abi.h>

#include <cstddef>
#include <cstdint>

namespace tine::openmp {

/// How many turns of a loop a member waits for another one before it suspends: some 50 microseconds, several times what
/// a suspended strand takes to wake.
inline constexpr unsigned spins = 3000;

/// One turn of a loop that waits for another thread.
inline void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace tine::openmp

namespace tine::openmp::hot {

#if defined(__x86_64__) && !defined(TINE_PORTABLE)

/// Returns the distance of the words from the thread pointer. It is the same in all threads, so the compiler may load
/// it once for a function.
inline std::ptrdiff_t offset() noexcept {
  std::ptrdiff_t o;
  asm("movq tine_hot@gottpoff(%%rip), %0" : "=r"(o));
  return o;
}
template <int At>
[[gnu::always_inline]] inline std::uintptr_t load() noexcept {
  std::uintptr_t word;
  asm volatile("movq %%fs:%c2(%1), %0" : "=r"(word) : "r"(offset()), "i"(At) : "memory");
  return word;
}
template <int At>
[[gnu::always_inline]] inline void store(std::uintptr_t word) noexcept {
  asm volatile("movq %0, %%fs:%c2(%1)" : : "r"(word), "r"(offset()), "i"(At) : "memory");
}

#elif defined(__aarch64__) && !defined(TINE_PORTABLE)

inline std::ptrdiff_t offset() noexcept {
  static const std::ptrdiff_t o = tine_abi_hot_offset();
  return o;
}
template <int At>
[[gnu::always_inline]] inline std::uintptr_t load() noexcept {
  std::uintptr_t word;
  asm volatile("mrs %0, tpidr_el0\n\tldr %0, [%0, %1]" : "=&r"(word) : "r"(offset() + At) : "memory");
  return word;
}
template <int At>
[[gnu::always_inline]] inline void store(std::uintptr_t word) noexcept {
  std::uintptr_t pointer;
  asm volatile("mrs %0, tpidr_el0\n\tstr %1, [%0, %2]" : "=&r"(pointer) : "r"(word), "r"(offset() + At) : "memory");
}

#else

extern "C" void* tine_hot_block(void);

template <int At>
inline std::uintptr_t load() noexcept {
  return *reinterpret_cast<volatile std::uintptr_t*>(static_cast<char*>(tine_hot_block()) + At);
}
template <int At>
inline void store(std::uintptr_t word) noexcept {
  *reinterpret_cast<volatile std::uintptr_t*>(static_cast<char*>(tine_hot_block()) + At) = word;
}

#endif

}  // namespace tine::openmp::hot
