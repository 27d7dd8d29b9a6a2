// The fallback for all other architectures of 64 bits, and for -DTINE_ARCH=portable: plain C++. Each access to a hot
// word calls a function of the library, because compilers keep the address of a thread-local variable over calls, and a
// fiber may wake on another thread. detail/base/arch.hpp says what the functions are for.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstddef>
#include <cstdint>
#include <ctime>

/// Returns the address of the calling thread's hot words. Only a library that is built with this file has the function,
/// and such a library has none of the names that the other files use: a program and a library whose clocks differ do
/// not link.
extern "C" TINE_API std::byte* tine_hot_block() noexcept;

namespace tine::base::portable {

/// Returns the nanoseconds on the kernel's monotonic clock.
inline std::uint64_t counter() noexcept {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

/// Returns what `counter` adds in a microsecond.
inline double counter_rate() noexcept { return 1000; }

/// No C++ waits for earlier instructions. The call of the clock takes longer than most of them.
inline void settle() noexcept {}

/// Takes about as long as the instructions of other architectures, because loops count their turns.
inline void pause() noexcept {
  volatile int in_memory = 0;
  for (int turn = 0; turn < 16; turn = in_memory) in_memory = turn + 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Returns the value such that the compiler does not know how it was computed.
template <class T>
TINE_ALWAYS_INLINE T opaque_fraction(T value) noexcept {
  volatile T hidden = value;
  return hidden;
}

namespace hot {

/// The hot words of this thread. It is good until a function is called that may run user code: then the fiber may wake
/// on another thread.
class block {
 public:
  TINE_ALWAYS_INLINE block() noexcept : begin_{tine_hot_block()} {}

  /// Returns the word at that offset.
  template <class T, unsigned At>
  TINE_ALWAYS_INLINE T& at() const noexcept {
    return *object_at<T>(begin_ + At);
  }

 private:
  std::byte* begin_;
};

/// Returns the word at that offset in the block.
template <class T, unsigned At>
TINE_ALWAYS_INLINE T load(block b = {}) noexcept {
  return __atomic_load_n(&b.at<T, At>(), __ATOMIC_RELAXED);
}

/// Stores the word at that offset. All stores before it in the program come first for this thread.
template <unsigned At>
TINE_ALWAYS_INLINE void store_in_order(std::byte* word, block b = {}) noexcept {
  std::byte*& to = b.at<std::byte*, At>();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&to, word, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Stores the word at that offset.
template <unsigned At>
TINE_ALWAYS_INLINE void store(std::uintptr_t word, block b = {}) noexcept {
  __atomic_store_n(&b.at<std::uintptr_t, At>(), word, __ATOMIC_RELAXED);
}

/// Stores a number of 32 bits at that offset, in program order with all other accesses of this thread.
template <unsigned At, int Value>
TINE_ALWAYS_INLINE void store_number_in_order(block b = {}) noexcept {
  int& to = b.at<int, At>();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&to, Value, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/// Subtracts 1 from the number of 32 bits at that offset. Returns true if it is negative then. No signal handler may
/// access the number.
template <unsigned At>
TINE_ALWAYS_INLINE bool count_down(block b = {}) noexcept {
  return --b.at<int, At>() < 0;
}

/// Returns true if `t` is below the word at that offset. All accesses before it in the program come first for this
/// thread.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_below_in_order(std::byte* t, block b = {}) noexcept {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return t < load<std::byte*, At>(b);
}

/// Returns true if `value` is above the word at that offset. All accesses before it in the program come first for this
/// thread.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_above_in_order(std::uintptr_t value, block b = {}) noexcept {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return value > load<std::uintptr_t, At>(b);
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
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return load<std::uintptr_t, At>(b) != 0;
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

/// Returns true if the native stack has grown below the address in the word at that offset.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_stack_below(block b = {}) noexcept {
  return static_cast<std::byte*>(__builtin_frame_address(0)) < load<std::byte*, At>(b);
}

/// Returns the address of this thread's block.
TINE_ALWAYS_INLINE std::byte* address() noexcept { return tine_hot_block(); }

}  // namespace hot
}  // namespace tine::base::portable
