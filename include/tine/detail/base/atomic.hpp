// The only header with atomic operations. A model build (TINE_MODEL) puts Relacy's atomics behind the same names, so
// that the models explore the product's own headers.
#pragma once

#include <tine/detail/base/arch.hpp>
#include <tine/detail/base/macros.hpp>

#ifdef TINE_MODEL

#include <relacy/relacy.hpp>

#include <source_location>

namespace tine::base {

using order = rl::memory_order;
inline constexpr order relaxed = rl::mo_relaxed;
inline constexpr order acquire = rl::mo_acquire;
inline constexpr order release = rl::mo_release;
inline constexpr order acq_rel = rl::mo_acq_rel;
inline constexpr order seq_cst = rl::mo_seq_cst;

using where = std::source_location;
inline rl::debug_info here(where w) { return {w.function_name(), w.file_name(), w.line()}; }

template <class T>
class atomic {
 public:
  explicit(false) atomic(T value = {}, where w = where::current()) { cell_.store(value, rl::mo_relaxed, here(w)); }
  T load(order o, where w = where::current()) const { return cell_.load(o, here(w)); }
  void store(T value, order o, where w = where::current()) { cell_.store(value, o, here(w)); }
  T exchange(T value, order o, where w = where::current()) { return cell_.exchange(value, o, here(w)); }
  T fetch_add(T value, order o, where w = where::current()) { return cell_.fetch_add(value, o, here(w)); }
  T fetch_sub(T value, order o, where w = where::current()) { return cell_.fetch_sub(value, o, here(w)); }
  T fetch_or(T value, order o, where w = where::current()) { return cell_.fetch_or(value, o, here(w)); }
  T fetch_and(T value, order o, where w = where::current()) { return cell_.fetch_and(value, o, here(w)); }
  bool compare_exchange_strong(T& expected, T value, order success, order failure, where w = where::current()) {
    return cell_.compare_exchange_strong(expected, value, success, here(w), failure, here(w));
  }

 private:
  rl::atomic<T> cell_;
};

inline void pause() noexcept;  // tests/model/system.hpp

inline void fence(order o, where w = where::current()) {
  if (o != relaxed) rl::atomic_thread_fence(o, here(w));
}

template <class T>
T glance(const atomic<T>& a, where w = where::current()) {
  return a.load(relaxed, w);
}

}  // namespace tine::base

#else

// Around an operation on a word of the runtime. In code that is instrumented for the race detector it is a function of
// its own without instrumentation, so that the detector sees only the program's atomic operations.
#if !TINE_RACE
#define TINE_ATOMIC TINE_ALWAYS_INLINE
#elif defined(__clang__)
#define TINE_ATOMIC __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define TINE_ATOMIC __attribute__((noinline, no_sanitize("thread")))
#endif

namespace tine::base {

enum class order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST
};
using enum order;

/// A word that threads share: std::atomic with every order spelled out. It uses the compiler's own operations, because
/// <atomic> alone would cost a program that includes tine as much compile time as all the rest of tine.
template <class T>
class atomic {
 public:
  static_assert(__atomic_always_lock_free(sizeof(T), nullptr));

  constexpr atomic() noexcept = default;
  constexpr explicit(false) atomic(T value) noexcept : value_{value} {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  TINE_ATOMIC T load(order o) const noexcept { return __atomic_load_n(&value_, int(o)); }
  TINE_ATOMIC void store(T value, order o) noexcept { __atomic_store_n(&value_, value, int(o)); }
  TINE_ATOMIC T exchange(T value, order o) noexcept { return __atomic_exchange_n(&value_, value, int(o)); }
  TINE_ATOMIC T fetch_add(T value, order o) noexcept { return __atomic_fetch_add(&value_, value, int(o)); }
  TINE_ATOMIC T fetch_sub(T value, order o) noexcept { return __atomic_fetch_sub(&value_, value, int(o)); }
  TINE_ATOMIC T fetch_or(T value, order o) noexcept { return __atomic_fetch_or(&value_, value, int(o)); }
  TINE_ATOMIC T fetch_and(T value, order o) noexcept { return __atomic_fetch_and(&value_, value, int(o)); }
  TINE_ATOMIC bool compare_exchange_strong(T& expected, T value, order success, order failure) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, false, int(success), int(failure));
  }
  TINE_ATOMIC bool compare_exchange_weak(T& expected, T value, order success, order failure) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, value, true, int(success), int(failure));
  }

  /// A relaxed load that the compiler may merge with another one of the same word, if nothing in between can have
  /// changed the word as far as the compiler knows. For words whose changes by other threads arrive with a
  /// synchronisation of their own.
  friend TINE_ALWAYS_INLINE T glance(const atomic& a) noexcept {
    return TINE_TSAN || TINE_RACE ? a.load(relaxed) : a.value_;
  }

 private:
  alignas(sizeof(T)) T value_{};
};

/// One turn of a loop that waits for another thread.
TINE_ALWAYS_INLINE void pause() noexcept { arch::pause(); }

TINE_ALWAYS_INLINE void fence(order o) noexcept {
#if TINE_TSAN
  // ThreadSanitizer does not model fences; every protocol that uses a fence also makes the accesses around it strong
  // enough for the tool (see strengthened in sched/deque.hpp).
  static_cast<void>(o);
#else
  __atomic_thread_fence(int(o));
#endif
}

}  // namespace tine::base

#undef TINE_ATOMIC
#endif

namespace tine::base {

/// Orders the accesses for the compiler only, so that a signal handler on the same thread sees them in program order.
TINE_ALWAYS_INLINE void signal_fence() noexcept { asm volatile("" ::: "memory"); }

}  // namespace tine::base
