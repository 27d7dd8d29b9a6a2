// The hot words: the words that a fork and a join read and write, in the thread-local block of the thread that runs
// them.
//
// Every access is a single instruction of inline assembly, for two reasons. A fiber may wake on another thread, and
// compilers remember the address of a thread-local over a call; they cannot remember an address inside of an
// instruction. And a signal handler on the same thread reads these words between any two instructions, so each access
// must be one instruction.
//
// Only the thread itself (and its signal handler) writes `top`, `bot`, `watermark`, `self` and `in_scheduler`; other
// threads may glance at `top`, `bot` and `watermark`. `limit` is the overflow check and the request flag in one: any
// thread may store 0 in it to post a work request.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/cache_line.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstddef>
#include <cstdint>

namespace tine::sched {

class worker;

/// A position on a shadow stack. It is not a pointer to an object, because records come and go there.
using address = std::byte*;

/// Number of words that front ends may keep for each fiber.
inline constexpr unsigned fiber_local_words = 16;

struct alignas(base::cache_line) hot_words {
  base::atomic<address> top;        ///< the address of the next record
  base::atomic<address> bot;        ///< the oldest record not yet promoted; all below it are tasks
  base::atomic<address> watermark;  ///< records from here up stay sequential (tine::sequential)
  worker* self;                     ///< the worker that runs on this thread; null outside every pool
  int in_scheduler;                 ///< not 0: the signal handler must not touch anything
  int until_timed;         ///< short loops that observed strands only count before they time one (observer.hpp)
  unsigned timed_every;    ///< planned number of short loops between the last two that were timed, on average
  std::uint64_t timed_at;  ///< the time at which the last timed loop ended
  /// The overflow check and the request flag in one: the end of the shadow stack, or 0 while a work request is pending.
  /// It has a cache line of its own: a request must not invalidate the line that every fork writes.
  alignas(base::cache_line) base::atomic<address> limit;
  /// Words that front ends keep for the fiber that runs. They are saved when the thread leaves the fiber, restored when
  /// a thread comes back to it, and zero in a fiber that begins. The scheduler itself uses only the last three
  /// (scope.hpp, events.hpp).
  alignas(base::cache_line) std::uintptr_t fiber_local[fiber_local_words];
};

#ifdef TINE_MODEL
// A model supplies these functions for its own threads.
}  // namespace tine::sched
#include "model/words_of_this_thread.hpp"
namespace tine::sched {
#else

static_assert(offsetof(hot_words, top) == 0 && offsetof(hot_words, bot) == 8 && offsetof(hot_words, self) == 24);
static_assert(offsetof(hot_words, in_scheduler) == 32 && offsetof(hot_words, limit) == 64);
static_assert(offsetof(hot_words, until_timed) == 36);
static_assert(offsetof(hot_words, fiber_local) == 128);

// Code of an executable that holds tine reaches the block at a constant offset from fs. Other code loads the offset first; the linker
// turns that load into a constant where it can.
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

/// Returns the word at that offset in the block.
template <class T, unsigned At>
TINE_ALWAYS_INLINE T load() noexcept {
  TINE_HOT_DECLARE
  T w;
  asm volatile(TINE_HOT_OFFSET "movq " TINE_HOT("%c[at]") ", %[w]" : [w] "=r"(w)TINE_HOT_SCRATCH : [at] "i"(At));
  return w;
}

/// Returns the address at which the next record begins.
TINE_ALWAYS_INLINE address top() noexcept { return load<address, 0>(); }

/// Moves the top. Every store before this call in the program is in memory before the top moves. (Only the compiler
/// must keep this order: the signal handler runs on this thread, and a thief that sees the record gets it through a
/// later release.)
TINE_ALWAYS_INLINE void set_top(address t) noexcept {
  TINE_HOT_DECLARE
  asm volatile(TINE_HOT_OFFSET "movq %[t], " TINE_HOT("0") : TINE_HOT_ONLY_SCRATCH : [t] "r"(t) : "memory");
}

/// Returns true if `t` is below the word at that offset.
template <unsigned At>
TINE_ALWAYS_INLINE bool is_below(address t) noexcept {
  TINE_HOT_DECLARE
  bool below;
  asm volatile(TINE_HOT_OFFSET "cmpq " TINE_HOT("%c[at]") ", %[t]"
               : "=@ccb"(below)TINE_HOT_SCRATCH
               : [t] "r"(t), [at] "i"(At)
               : "memory");
  return below;
}

/// Returns true if the record at `t` has been promoted.
TINE_ALWAYS_INLINE bool is_promoted(address t) noexcept { return is_below<8>(t); }

/// Returns true if `t` has reached the limit: a work request is pending, or the shadow stack is full.
TINE_ALWAYS_INLINE bool is_past_limit(address t) noexcept { return !is_below<64>(t); }

/// Returns true if the limit is `l`.
TINE_ALWAYS_INLINE bool is_limit(address l) noexcept {
  TINE_HOT_DECLARE
  bool is;
  asm volatile(TINE_HOT_OFFSET "cmpq %[l], " TINE_HOT("64") : "=@cce"(is)TINE_HOT_SCRATCH : [l] "er"(l));
  return is;
}

/// Returns the worker that runs on this thread now. Call it again after everything that may run user code.
TINE_ALWAYS_INLINE worker* self() noexcept { return load<worker*, 24>(); }

/// Returns all of this thread's block, for slow paths. Call it again after everything that may switch fibers.
TINE_ALWAYS_INLINE hot_words& words() noexcept {
  TINE_HOT_DECLARE
  hot_words* p;
  asm volatile(TINE_HOT_ADDRESS : [p] "=&r"(p)TINE_HOT_SCRATCH : : "cc");
  return *p;
}

/// Writes the word by which the signal handler knows whether it may touch this thread's worker.
template <int Value>
TINE_ALWAYS_INLINE void set_in_scheduler() noexcept {
  TINE_HOT_DECLARE
  asm volatile(TINE_HOT_OFFSET "movl %[v], " TINE_HOT("32") : TINE_HOT_ONLY_SCRATCH : [v] "i"(Value) : "memory");
}

/// From here on the signal handler does not touch this thread's worker.
TINE_ALWAYS_INLINE void enter_scheduler() noexcept { set_in_scheduler<1>(); }

/// From here on the signal handler may promote.
TINE_ALWAYS_INLINE void leave_scheduler() noexcept { set_in_scheduler<0>(); }

/// Counts a short loop of an observed strand on this thread. Returns true if that loop is to be timed.
TINE_ALWAYS_INLINE bool count_down_to_timed() noexcept {
  TINE_HOT_DECLARE
  bool due;
  asm volatile(TINE_HOT_OFFSET "decl " TINE_HOT("36") : "=@ccs"(due)TINE_HOT_SCRATCH);
  return due;
}

/// Returns word number `I` of the fiber that runs.
template <unsigned I>
TINE_ALWAYS_INLINE std::uintptr_t fiber_local() noexcept {
  static_assert(I < fiber_local_words);
  return load<std::uintptr_t, 128 + 8 * I>();
}

template <unsigned I>
TINE_ALWAYS_INLINE void set_fiber_local(std::uintptr_t word) noexcept {
  static_assert(I < fiber_local_words);
  TINE_HOT_DECLARE
  asm volatile(TINE_HOT_OFFSET "movq %[word], " TINE_HOT("%c[at]")
               : TINE_HOT_ONLY_SCRATCH
               : [word] "r"(word), [at] "i"(128 + 8 * I));
}

/// Returns true if word `I` is not zero, by one instruction.
template <unsigned I>
TINE_ALWAYS_INLINE bool is_fiber_local_set() noexcept {
  static_assert(I < fiber_local_words);
  TINE_HOT_DECLARE
  bool set;
  asm volatile(TINE_HOT_OFFSET "cmpq $0, " TINE_HOT("%c[at]")
               : "=@ccne"(set)TINE_HOT_SCRATCH
               : [at] "i"(128 + 8 * I)
               : "memory");
  return set;
}

/// Returns true if `value` is above word `I`.
template <unsigned I>
TINE_ALWAYS_INLINE bool is_above_fiber_local(std::uintptr_t value) noexcept {
  static_assert(I < fiber_local_words);
  TINE_HOT_DECLARE
  bool above;
  asm volatile(TINE_HOT_OFFSET "cmpq " TINE_HOT("%c[at]") ", %[value]"
               : "=@cca"(above)TINE_HOT_SCRATCH
               : [at] "i"(128 + 8 * I), [value] "r"(value)
               : "memory");
  return above;
}

/// Returns true if the `bytes` bytes at `where` do not all lie in a certain address range. Word `I` holds the negated
/// begin of this range, word `J` its length. (The carry of the first addition says that `where` is not below the range:
/// the end alone could be in the range although the begin is not.)
template <unsigned I, unsigned J>
TINE_ALWAYS_INLINE bool is_outside_fiber_local(std::uintptr_t where, std::size_t bytes) noexcept {
  static_assert(I < fiber_local_words && J < fiber_local_words);
  TINE_HOT_DECLARE
  asm volatile goto(TINE_HOT_OFFSET "addq " TINE_HOT("%c[begin]") ", %[where]\n\tjnc %l[outside]\n\taddq %[bytes], %[where]\n\t"
                           "cmpq " TINE_HOT("%c[length]") ", %[where]\n\tja %l[outside]"
           : [where] "+&r"(where)TINE_HOT_SCRATCH
           : [begin] "i"(128 + 8 * I), [length] "i"(128 + 8 * J), [bytes] "re"(bytes)
           : "cc"
           : outside);
  return false;
outside:
  return true;
}

/// Returns true if the native stack has grown below the address in word `I`. That word must not change while a native
/// frame lives, because the compiler may remember the answer.
template <unsigned I>
TINE_ALWAYS_INLINE bool is_stack_below_fiber_local() noexcept {
  static_assert(I < fiber_local_words);
  TINE_HOT_DECLARE
  bool below;
  asm(TINE_HOT_OFFSET "cmpq " TINE_HOT("%c[at]") ", %%rsp" : "=@ccb"(below)TINE_HOT_SCRATCH : [at] "i"(128 + 8 * I));
  return below;
}

}  // namespace hot

#undef TINE_HOT_OFFSET
#undef TINE_HOT
#undef TINE_HOT_SCRATCH
#undef TINE_HOT_ONLY_SCRATCH
#undef TINE_HOT_DECLARE
#undef TINE_HOT_ADDRESS

#endif

}  // namespace tine::sched
