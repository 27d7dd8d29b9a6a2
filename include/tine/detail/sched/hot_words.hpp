// The hot words: the words that a fork and a join read and write, in the thread-local block of the thread that runs
// them.
//
// Every access is inline assembly (detail/base/arch.hpp), for two reasons. First, a fiber may wake on another thread,
// and compilers remember the address of a thread-local over a call; they cannot remember an address inside of an
// assembly. Second, a signal handler on the same thread reads these words between any two instructions, so a single
// instruction must read or write the word.
//
// Only the thread itself (and its signal handler) writes `top`, `bot`, `promotion_limit`, `self` and `in_scheduler`;
// other threads may glance at `top`, `bot` and `promotion_limit`. `limit` is the overflow check and the request flag in
// one: any thread may store 0 in it to post a work request.
#pragma once

#include <tine/detail/base/arch.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/cache_line.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::sched {

class worker;

/// A position on a shadow stack. It isn't a pointer to an object, because records come and go there.
using address = std::byte*;

/// Number of words that front ends may keep for each fiber.
inline constexpr unsigned fiber_local_words = 16;

struct alignas(base::cache_line) hot_words {
  base::atomic<address> top;  ///< the address of the next record
  base::atomic<address> bot;  ///< the oldest record not yet promoted; all below it are tasks
  base::atomic<address>
      promotion_limit;     ///< the promotion limit: records from here up stay sequential (tine::sequential)
  worker* self;            ///< the worker that runs on this thread; null outside of every pool
  int in_scheduler;        ///< not 0: the signal handler must not touch anything
  int until_timed;         ///< short loops that observed strands only count before they time one (observer.hpp)
  unsigned timed_every;    ///< planned number of short loops between the last two that were timed, on average
  std::uint64_t timed_at;  ///< the time at which the last timed loop ended
  /// The overflow check and the request flag in one: the end of the shadow stack, or 0 while a work request is pending.
  /// It has a cache line of its own: a request must not invalidate the line that every fork writes.
  alignas(base::cache_line) base::atomic<address> limit;
  /// Words that front ends keep for the fiber that runs. We save them when the thread leaves the fiber, and restore
  /// them when a thread comes back to it; in a new fiber they are zero. The scheduler itself uses only the last five
  /// (scope.hpp, observer.hpp, region.hpp).
  alignas(base::cache_line) std::uintptr_t fiber_local[fiber_local_words];
};

#ifdef TINE_MODEL
// A model supplies these functions for its own threads.
}  // namespace tine::sched
#include "model/words_of_this_thread.hpp"
namespace tine::sched {
#else

static_assert(offsetof(hot_words, top) == 0 && offsetof(hot_words, bot) == 8);
static_assert(offsetof(hot_words, promotion_limit) == 16 && offsetof(hot_words, self) == 24);
static_assert(offsetof(hot_words, in_scheduler) == 32 && offsetof(hot_words, limit) == 64);
static_assert(offsetof(hot_words, until_timed) == 36);
static_assert(offsetof(hot_words, fiber_local) == 128);

namespace hot {

using base::arch::hot::block;

/// Returns the address where the next record starts.
TINE_ALWAYS_INLINE address top(block b = {}) noexcept { return base::arch::hot::load<address, 0>(b); }

/// Moves the top. Every store before this call in the program is in memory before the top moves. (Only the compiler
/// must keep this order: the signal handler runs on this thread, and a thief that sees the record gets it through a
/// later release.)
TINE_ALWAYS_INLINE void set_top(address t, block b = {}) noexcept { base::arch::hot::store_in_order<0>(t, b); }

/// Returns true if the promotion limit is at `t`. It moves, like the top, after every store before in the program.
TINE_ALWAYS_INLINE bool is_promotion_limit(address t, block b = {}) noexcept { return base::arch::hot::is<16>(t, b); }
TINE_ALWAYS_INLINE void set_promotion_limit(address t, block b = {}) noexcept {
  base::arch::hot::store_in_order<16>(t, b);
}

/// Returns true if the record at `t` has been promoted.
TINE_ALWAYS_INLINE bool is_promoted(address t, block b = {}) noexcept {
  return base::arch::hot::is_below_in_order<8>(t, b);
}

/// Returns true if `t` has reached the limit: a work request is pending, or the shadow stack is full.
TINE_ALWAYS_INLINE bool is_past_limit(address t, block b = {}) noexcept {
  return !base::arch::hot::is_below_in_order<64>(t, b);
}

TINE_ALWAYS_INLINE bool is_limit(address l) noexcept { return base::arch::hot::is<64>(l); }

/// Returns the worker that runs on this thread now. Call it again after everything that may run user code.
TINE_ALWAYS_INLINE worker* self() noexcept { return base::arch::hot::load<worker*, 24>(); }

/// Returns all of this thread's block, for slow paths. Call it again after everything that may switch fibers.
TINE_ALWAYS_INLINE hot_words& words() noexcept { return *base::object_at<hot_words>(base::arch::hot::address()); }

/// From here on the signal handler doesn't touch this thread's worker.
TINE_ALWAYS_INLINE void enter_scheduler() noexcept { base::arch::hot::store_number_in_order<32, 1>(); }

/// From here on the signal handler may promote.
TINE_ALWAYS_INLINE void leave_scheduler() noexcept { base::arch::hot::store_number_in_order<32, 0>(); }

/// Counts a short loop of an observed strand on this thread. Returns true if that loop is to be timed.
TINE_ALWAYS_INLINE bool count_down_to_timed() noexcept { return base::arch::hot::count_down<36>(); }

/// The offset of word `I` of the fiber that runs.
template <unsigned I>
  requires(I < fiber_local_words)
inline constexpr unsigned fiber_local_at = 128 + 8 * I;

/// Returns word number `I` of the fiber that runs.
template <unsigned I>
TINE_ALWAYS_INLINE std::uintptr_t fiber_local(block b = {}) noexcept {
  return base::arch::hot::load<std::uintptr_t, fiber_local_at<I>>(b);
}

template <unsigned I>
TINE_ALWAYS_INLINE void set_fiber_local(std::uintptr_t word, block b = {}) noexcept {
  base::arch::hot::store<fiber_local_at<I>>(word, b);
}

/// Returns true if word `I` is not zero.
template <unsigned I>
TINE_ALWAYS_INLINE bool is_fiber_local_set() noexcept {
  return base::arch::hot::is_set_in_order<fiber_local_at<I>>();
}

/// Returns true if `value` is above word `I`.
template <unsigned I>
TINE_ALWAYS_INLINE bool is_above_fiber_local(std::uintptr_t value) noexcept {
  return base::arch::hot::is_above_in_order<fiber_local_at<I>>(value);
}

/// Returns true if the `bytes` bytes at `where` don't all lie in a certain address range. Word `I` holds the negated
/// start of this range, word `J` its length.
template <unsigned I, unsigned J>
TINE_ALWAYS_INLINE bool is_outside_fiber_local(std::uintptr_t where, std::size_t bytes, block b = {}) noexcept {
  return base::arch::hot::is_outside<fiber_local_at<I>, fiber_local_at<J>>(where, bytes, b);
}

/// Returns true if the native stack has grown below the address in word `I`. That word must not change while a native
/// frame lives, because the compiler may remember the answer.
template <unsigned I>
TINE_ALWAYS_INLINE bool is_stack_below_fiber_local(block b = {}) noexcept {
  return base::arch::hot::is_stack_below<fiber_local_at<I>>(b);
}

}  // namespace hot

#endif

}  // namespace tine::sched
