// The functions that compilers call for atomic operations under -fsanitize=thread: they do the operation, and check it
// as an access. Any thread calls them.
#include "race/access.hpp"
#include "race/called_from.hpp"
#include "race/ordered_by_count.hpp"
#include "race/ordered_by_release.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/race/runtimes.hpp>

using namespace tine::detail;

namespace {

/// seq_cst: at least as strong as any order that the program asks for; pairs with the program's other operations on the
/// word, so that its reasoning holds.
constexpr tine::base::order strongest = tine::base::seq_cst;
constexpr int acquire_order = 2, release_order = 3;  // as ThreadSanitizer's functions get them

template <class T>
TINE_ALWAYS_INLINE tine::base::atomic<T>& word_at(const volatile T* a) noexcept {
  return *tine::base::object_at<tine::base::atomic<T>>(const_cast<T*>(a));
}

template <class T>
TINE_ALWAYS_INLINE tine::base::atomic<T>& check(const volatile T* a, access_how how, std::uintptr_t place) noexcept {
  if (checked_context != nullptr) begin_atomic(tine::base::to_word(a));
  check_range(const_cast<const T*>(a), sizeof(T), how, place);
  return word_at(a);
}
template <class T>
TINE_ALWAYS_INLINE tine::base::atomic<T>& reads(const volatile T* a, std::uintptr_t place) noexcept {
  return check(a, access_how::atomic_read, place);
}
template <class T>
TINE_ALWAYS_INLINE tine::base::atomic<T>& changes(volatile T* a, std::uintptr_t place) noexcept {
  return check(a, access_how::atomic_write, place);
}

/// Called after an operation with that std::memory_order.
template <class T>
TINE_ALWAYS_INLINE void note_order(const volatile T* a, int order, word_change change, std::uintptr_t place) noexcept {
  if (context* const c = checked_context) end_atomic(*c, tine::base::to_word(a), order, change, place);
}

template <class T>
TINE_ALWAYS_INLINE T load(const volatile T* a, int order, std::uintptr_t place) noexcept {
  const T value = reads(a, place).load(strongest);
  note_order(a, order, word_change::none, place);
  return value;
}

/// A store of the value that the word has tells nothing to those who read it.
template <class T>
TINE_ALWAYS_INLINE void store(volatile T* a, T value, int order, std::uintptr_t place) noexcept {
  if (changes(a, place).exchange(value, strongest) != value) note_order(a, order, word_change::replaced, place);
}

template <class T>
TINE_ALWAYS_INLINE bool exchanges(volatile T* a, T& expected, T value, int order, int order_of_failure,
                                  std::uintptr_t place) noexcept {
  const T wanted = expected;
  const bool is_done = changes(a, place).compare_exchange_strong(expected, value, strongest, strongest);
  if (!is_done) note_unchanged(place);
  note_order(a, is_done ? order : order_of_failure,
             is_done && wanted != value ? word_change::continued : word_change::none, place);
  return is_done;
}

/// Replaces the value by `f(value)`, and returns the value before.
template <class T, class F>
TINE_ALWAYS_INLINE T replace(volatile T* a, int order, std::uintptr_t place, F f) noexcept {
  tine::base::atomic<T>& word = changes(a, place);
  T before = word.load(strongest);
  while (!word.compare_exchange_weak(before, f(before), strongest, strongest)) {
  }
  note_order(a, order, f(before) != before ? word_change::continued : word_change::none, place);
  return before;
}

/// Called after a change of the counter at `a`, whose value was `before`.
template <class T>
TINE_ALWAYS_INLINE void note_count(const volatile T* a, T before, T change) noexcept {
  context* const c = checked_context;
  if (c != nullptr && change == static_cast<T>(-1)) note_decrement(*c, tine::base::to_word(a), before == 1);
}

template <class T>
TINE_ALWAYS_INLINE T add(volatile T* a, T value, int order, std::uintptr_t place) noexcept {
  const T before = changes(a, place).fetch_add(value, strongest);
  note_count(a, before, value);
  note_order(a, order, value != 0 ? word_change::continued : word_change::none, place);
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
  note_order(static_cast<const char*>(word), release_order, word_change::replaced, called_from());
}
TINE_API void tine_race_note_acquire(const void* word) noexcept {
  note_order(static_cast<const char*>(word), acquire_order, word_change::none, called_from());
}

TINE_API void __tsan_atomic_thread_fence(int) { tine::base::fence(strongest); }
TINE_API void __tsan_atomic_signal_fence(int) { tine::base::signal_fence(); }
}
// NOLINTEND(readability-identifier-naming)

#undef TINE_ATOMICS
#undef TINE_BITWISE
