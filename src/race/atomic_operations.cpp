// The functions that compilers call for atomic operations under -fsanitize=thread: they do the operation, and check it as an access.
#include "race/access.hpp"
#include "race/ordered_by_count.hpp"

#include <tine/detail/base/atomic.hpp>

using namespace tine::detail;

#define TINE_PLACE tine::base::to_word(__builtin_return_address(0))

namespace {

template <class T>
TINE_ALWAYS_INLINE void check(const volatile T* a, access_how how, std::uintptr_t place) noexcept {
  check_range(const_cast<const T*>(a), sizeof(T), how, place);
}

/// Called after a decrement of the counter at `a` from `before`.
template <class T>
TINE_ALWAYS_INLINE void note_count(const volatile T* a, T before, T change) noexcept {
  context* const c = checked_context;
  if (c != nullptr && change == static_cast<T>(-1)) note_decrement(c->strand, tine::base::to_word(a), before == 1);
}

constexpr int strongest = __ATOMIC_SEQ_CST;  // at least as strong as what the program asks for

}  // namespace

#define TINE_FETCH(T, bits, name, how)                                                           \
  TINE_API T __tsan_atomic##bits##_fetch_##name(volatile T* a, T value, int) {                   \
    check(a, access_how::atomic_write, TINE_PLACE);                                              \
    return __atomic_fetch_##name(a, value, strongest);                                           \
  }

#define TINE_ATOMICS(T, bits)                                                                    \
  TINE_API T __tsan_atomic##bits##_load(const volatile T* a, int) {                              \
    check(a, access_how::atomic_read, TINE_PLACE);                                               \
    return __atomic_load_n(a, strongest);                                                        \
  }                                                                                              \
  TINE_API void __tsan_atomic##bits##_store(volatile T* a, T value, int) {                       \
    check(a, access_how::atomic_write, TINE_PLACE);                                              \
    __atomic_store_n(a, value, strongest);                                                       \
  }                                                                                              \
  TINE_API T __tsan_atomic##bits##_exchange(volatile T* a, T value, int) {                       \
    check(a, access_how::atomic_write, TINE_PLACE);                                              \
    return __atomic_exchange_n(a, value, strongest);                                             \
  }                                                                                              \
  TINE_API T __tsan_atomic##bits##_fetch_add(volatile T* a, T value, int) {                      \
    check(a, access_how::atomic_write, TINE_PLACE);                                              \
    const T before = __atomic_fetch_add(a, value, strongest);                                    \
    note_count(a, before, value);                                                                \
    return before;                                                                               \
  }                                                                                              \
  TINE_API T __tsan_atomic##bits##_fetch_sub(volatile T* a, T value, int) {                      \
    check(a, access_how::atomic_write, TINE_PLACE);                                              \
    const T before = __atomic_fetch_sub(a, value, strongest);                                    \
    note_count(a, before, static_cast<T>(-value));                                               \
    return before;                                                                               \
  }                                                                                              \
  TINE_FETCH(T, bits, and, atomic_write)                                                         \
  TINE_FETCH(T, bits, or, atomic_write)                                                          \
  TINE_FETCH(T, bits, xor, atomic_write)                                                         \
  TINE_FETCH(T, bits, nand, atomic_write)                                                        \
  TINE_API int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* expected, T value, int, int) { \
    check(a, access_how::atomic_write, TINE_PLACE);                                              \
    return __atomic_compare_exchange_n(a, expected, value, false, strongest, strongest);         \
  }                                                                                              \
  TINE_API int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T value, int, int) { \
    check(a, access_how::atomic_write, TINE_PLACE);                                              \
    return __atomic_compare_exchange_n(a, expected, value, false, strongest, strongest);         \
  }                                                                                              \
  TINE_API T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T value, int, int) { \
    check(a, access_how::atomic_write, TINE_PLACE);                                              \
    __atomic_compare_exchange_n(a, &expected, value, false, strongest, strongest);               \
    return expected;                                                                             \
  }

extern "C" {
TINE_ATOMICS(std::uint8_t, 8)
TINE_ATOMICS(std::uint16_t, 16)
TINE_ATOMICS(std::uint32_t, 32)
TINE_ATOMICS(std::uint64_t, 64)

TINE_API void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(strongest); }
TINE_API void __tsan_atomic_signal_fence(int) { tine::base::signal_fence(); }
}
