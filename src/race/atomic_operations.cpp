// The functions that compilers call for atomic operations under -fsanitize=thread: they do the operation, and check it
// as an access. Any thread calls them.
#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/ordered_by_count.hpp"

#include <tine/detail/base/atomic.hpp>

using namespace tine::detail;

namespace {

/// seq_cst: at least as strong as any order that the program asks for; pairs with the program's other operations on the
/// word, so that its reasoning holds.
constexpr tine::base::order strongest = tine::base::seq_cst;

template <class T>
TINE_ALWAYS_INLINE tine::base::atomic<T>& word_at(const volatile T* a) noexcept {
  return *tine::base::object_at<tine::base::atomic<T>>(const_cast<T*>(a));
}

template <class T>
TINE_ALWAYS_INLINE tine::base::atomic<T>& reads(const volatile T* a, std::uintptr_t place) noexcept {
  check_range(const_cast<const T*>(a), sizeof(T), access_how::atomic_read, place);
  return word_at(a);
}
template <class T>
TINE_ALWAYS_INLINE tine::base::atomic<T>& changes(volatile T* a, std::uintptr_t place) noexcept {
  check_range(const_cast<const T*>(a), sizeof(T), access_how::atomic_write, place);
  return word_at(a);
}

template <class T>
TINE_ALWAYS_INLINE bool exchanges(volatile T* a, T& expected, T value, std::uintptr_t place) noexcept {
  const bool is_done = changes(a, place).compare_exchange_strong(expected, value, strongest, strongest);
  if (!is_done) note_unchanged(place);
  return is_done;
}

/// Called after a change of the counter at `a`, whose value was `before`.
template <class T>
TINE_ALWAYS_INLINE void note_count(const volatile T* a, T before, T change) noexcept {
  context* const c = checked_context;
  if (c != nullptr && change == static_cast<T>(-1)) note_decrement(c->strand, tine::base::to_word(a), before == 1);
}

/// Replaces the value by `f(value)`, and returns the value before.
template <class T, class F>
TINE_ALWAYS_INLINE T replace(tine::base::atomic<T>& word, F f) noexcept {
  T before = word.load(strongest);
  while (!word.compare_exchange_weak(before, f(before), strongest, strongest)) {
  }
  return before;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names of ThreadSanitizer's functions
#define TINE_ATOMICS(T, bits)                                                                                         \
  TINE_API T __tsan_atomic##bits##_load(const volatile T* a, int) { return reads(a, called_from()).load(strongest); } \
  TINE_API void __tsan_atomic##bits##_store(volatile T* a, T value, int) {                                            \
    changes(a, called_from()).store(value, strongest);                                                                \
  }                                                                                                                   \
  TINE_API T __tsan_atomic##bits##_exchange(volatile T* a, T value, int) {                                            \
    const T before = changes(a, called_from()).exchange(value, strongest);                                            \
    if (before == value) note_unchanged(called_from());                                                               \
    return before;                                                                                                    \
  }                                                                                                                   \
  TINE_API T __tsan_atomic##bits##_fetch_add(volatile T* a, T value, int) {                                           \
    const T before = changes(a, called_from()).fetch_add(value, strongest);                                           \
    note_count(a, before, value);                                                                                     \
    return before;                                                                                                    \
  }                                                                                                                   \
  TINE_API T __tsan_atomic##bits##_fetch_sub(volatile T* a, T value, int) {                                           \
    const T before = changes(a, called_from()).fetch_sub(value, strongest);                                           \
    note_count(a, before, static_cast<T>(-value));                                                                    \
    return before;                                                                                                    \
  }                                                                                                                   \
  TINE_API T __tsan_atomic##bits##_fetch_and(volatile T* a, T value, int) {                                           \
    return changes(a, called_from()).fetch_and(value, strongest);                                                     \
  }                                                                                                                   \
  TINE_API T __tsan_atomic##bits##_fetch_or(volatile T* a, T value, int) {                                            \
    return changes(a, called_from()).fetch_or(value, strongest);                                                      \
  }                                                                                                                   \
  TINE_API T __tsan_atomic##bits##_fetch_xor(volatile T* a, T value, int) {                                           \
    return replace(changes(a, called_from()), [value](T v) { return static_cast<T>(v ^ value); });                    \
  }                                                                                                                   \
  TINE_API T __tsan_atomic##bits##_fetch_nand(volatile T* a, T value, int) {                                          \
    return replace(changes(a, called_from()), [value](T v) { return static_cast<T>(~(v & value)); });                 \
  }                                                                                                                   \
  TINE_API int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* expected, T value, int, int) {         \
    return exchanges(a, *expected, value, called_from());                                                             \
  }                                                                                                                   \
  TINE_API int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T value, int, int) {           \
    return exchanges(a, *expected, value, called_from());                                                             \
  }                                                                                                                   \
  TINE_API T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T value, int, int) {               \
    exchanges(a, expected, value, called_from());                                                                     \
    return expected;                                                                                                  \
  }

extern "C" {
TINE_ATOMICS(std::uint8_t, 8)
TINE_ATOMICS(std::uint16_t, 16)
TINE_ATOMICS(std::uint32_t, 32)
TINE_ATOMICS(std::uint64_t, 64)

TINE_API void __tsan_atomic_thread_fence(int) { tine::base::fence(strongest); }
TINE_API void __tsan_atomic_signal_fence(int) { tine::base::signal_fence(); }
}
// NOLINTEND(readability-identifier-naming)

#undef TINE_ATOMICS
