// The functions that compilers call for atomic operations under -fsanitize=thread: they do the operation, and check it
// as an access. Any thread calls them.
#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/note_decrement.hpp"
#include "race/release_word.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/race/team.hpp>

using namespace tine::detail;

namespace {

/// seq_cst: at least as strong as any order that the program asks for; pairs with the program's other operations on the
/// word, so that its reasoning holds.
constexpr tine::base::order strongest = tine::base::seq_cst;
constexpr int relaxed_order = 0, acquire_order = 2, release_order = 3;  // as ThreadSanitizer's functions get them

template <class T>
TINE_ALWAYS_INLINE tine::base::atomic<T>& word_at(const volatile T* a) noexcept {
  return *tine::base::object_at<tine::base::atomic<T>>(const_cast<T*>(a));
}

/// Called after an operation with that std::memory_order.
template <class T>
TINE_ALWAYS_INLINE void check(const volatile T* a, access_how how, int order, word_change change,
                              std::uintptr_t place) noexcept {
  context* const c = checked_context;
  if (c == nullptr) return;
  const std::uintptr_t word = tine::base::to_word(a);
  forget_former_word(word);
  acquire_word(*c, word, order, change, place);
  check_range(const_cast<const T*>(a), sizeof(T), how, place);
  release_word(*c, word, order, change);
}

TINE_ALWAYS_INLINE void note_decrement(const volatile void* count, bool to_zero) noexcept {
  if (context* const c = checked_context) note_decrement(*c, tine::base::to_word(count), to_zero);
}

template <class T>
TINE_ALWAYS_INLINE T load(const volatile T* a, int order, std::uintptr_t place) noexcept {
  const T value = word_at(a).load(strongest);
  check(a, access_how::atomic_read, order, word_change::none, place);
  if (context* const c = checked_context; c != nullptr && look_in_vain(*c)) let_others_run(*c);
  return value;
}

/// A store of the value that the word has tells nothing to those who read it.
template <class T>
TINE_ALWAYS_INLINE void store(volatile T* a, T value, int order, std::uintptr_t place) noexcept {
  if (word_at(a).exchange(value, strongest) != value) {
    check(a, access_how::atomic_write, order, word_change::replaced, place);
  } else {
    check(a, access_how::atomic_write, relaxed_order, word_change::none, place);
  }
}

template <class T>
TINE_ALWAYS_INLINE bool exchanges(volatile T* a, T& expected, T value, int order, int order_of_failure,
                                  std::uintptr_t place) noexcept {
  const T wanted = expected;
  const bool is_done = word_at(a).compare_exchange_strong(expected, value, strongest, strongest);
  if (!is_done) note_unchanged(place);
  check(a, access_how::atomic_write, is_done ? order : order_of_failure,
        is_done && wanted != value ? word_change::continued : word_change::none, place);
  return is_done;
}

/// Replaces the value by `f(value)`, and returns the value before.
template <class T, class F>
TINE_ALWAYS_INLINE T replace(volatile T* a, int order, std::uintptr_t place, F f) noexcept {
  tine::base::atomic<T>& word = word_at(a);
  T before = word.load(strongest);
  while (!word.compare_exchange_weak(before, f(before), strongest, strongest)) {
  }
  check(a, access_how::atomic_write, order, f(before) != before ? word_change::continued : word_change::none, place);
  return before;
}

/// A decrement by one may be that of a reference count. The operation itself is parallel to the others, and only what
/// comes behind the last one is not.
template <class T>
TINE_ALWAYS_INLINE T add(volatile T* a, T value, int order, std::uintptr_t place) noexcept {
  const T before = word_at(a).fetch_add(value, strongest);
  const bool is_decrement = value == static_cast<T>(-1);
  if (is_decrement && before != 1) note_decrement(a, false);
  check(a, access_how::atomic_write, order, value != 0 ? word_change::continued : word_change::none, place);
  if (is_decrement && before == 1) note_decrement(a, true);
  return before;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names of ThreadSanitizer's functions
#define TINE_BITWISE(T, bits, name, expression)                                                   \
  TINE_API T __tsan_atomic##bits##_fetch_##name(volatile T* a, T value, int order) {              \
    return replace(a, order, called_from(), [value](T v) { return static_cast<T>(expression); }); \
  }
#define TINE_ATOMICS(T, bits)                                                                                     \
  TINE_API T __tsan_atomic##bits##_load(const volatile T* a, int order) { return load(a, order, called_from()); } \
  TINE_API void __tsan_atomic##bits##_store(volatile T* a, T value, int order) {                                  \
    store(a, value, order, called_from());                                                                        \
  }                                                                                                               \
  TINE_API T __tsan_atomic##bits##_exchange(volatile T* a, T value, int order) {                                  \
    const T before = replace(a, order, called_from(), [value](T) { return value; });                              \
    if (before == value) note_unchanged(called_from());                                                           \
    return before;                                                                                                \
  }                                                                                                               \
  TINE_API T __tsan_atomic##bits##_fetch_add(volatile T* a, T value, int order) {                                 \
    return add(a, value, order, called_from());                                                                   \
  }                                                                                                               \
  TINE_API T __tsan_atomic##bits##_fetch_sub(volatile T* a, T value, int order) {                                 \
    return add(a, static_cast<T>(-value), order, called_from());                                                  \
  }                                                                                                               \
  TINE_BITWISE(T, bits, and, v& value)                                                                            \
  TINE_BITWISE(T, bits, or, v | value)                                                                            \
  TINE_BITWISE(T, bits, xor, v ^ value)                                                                           \
  TINE_BITWISE(T, bits, nand, ~(v & value))                                                                       \
  TINE_API int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* expected, T value, int order,      \
                                                             int order_of_failure) {                              \
    return exchanges(a, *expected, value, order, order_of_failure, called_from());                                \
  }                                                                                                               \
  TINE_API int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T value, int order,        \
                                                           int order_of_failure) {                                \
    return exchanges(a, *expected, value, order, order_of_failure, called_from());                                \
  }                                                                                                               \
  TINE_API T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T value, int order,            \
                                                        int order_of_failure) {                                   \
    exchanges(a, expected, value, order, order_of_failure, called_from());                                        \
    return expected;                                                                                              \
  }

extern "C" {
TINE_ATOMICS(std::uint8_t, 8)
TINE_ATOMICS(std::uint16_t, 16)
TINE_ATOMICS(std::uint32_t, 32)
TINE_ATOMICS(std::uint64_t, 64)

TINE_API void tine_race_note_release(const void* word) noexcept {
  if (context* const c = checked_context)
    release_word(*c, tine::base::to_word(word), release_order, word_change::replaced);
}
TINE_API void tine_race_note_acquire(const void* word) noexcept {
  if (context* const c = checked_context)
    acquire_word(*c, tine::base::to_word(word), acquire_order, word_change::none, called_from());
}

TINE_API void __tsan_atomic_thread_fence(int) { tine::base::fence(strongest); }
TINE_API void __tsan_atomic_signal_fence(int) { tine::base::signal_fence(); }
}
// NOLINTEND(readability-identifier-naming)

#undef TINE_ATOMICS
#undef TINE_BITWISE
