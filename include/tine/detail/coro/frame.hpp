// A coroutine's frame as the runtime sees it: the base of every promise. src/coro/README.md has the protocol of the
// join.
//
// A fork should cost a few stores, so only `up` and the result's address are written at birth. The other members are
// initialised when the frame's continuation is first promoted, and are valid until the next join.
#pragma once

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/fiber_state.hpp>
#include <tine/detail/coro/manual_lifetime.hpp>
#include <tine/detail/sched/continuation.hpp>

#include <coroutine>
#include <cstdint>
#include <exception>

namespace tine::detail {

struct frame;
class segmented_stack;

/// A frame's word: its parent, how the frame was made, and what has happened to its children. A thief and children that
/// throw set flags at the same time, so all flags change by read-modify-writes; the parent and `called` never change.
class link {
 public:
  using word = std::uintptr_t;
  enum flag : word {
    called = 1,       ///< made by call, not by fork: the parent's continuation is in no record
    observed = 2,     ///< this frame has forked since its last join, and its strand was observed
    child_threw = 4,  ///< a child that this frame forked ended by an exception
    stolen = 8,       ///< this frame's continuation was stolen since its last join
    all_flags = 15,
  };
  /// From this bit on: the sticky floating-point flags that children have raised which ended on other strands.
  static constexpr unsigned fp_flags_bit = 56;
  static constexpr word fp_flags = word{0x3f} << fp_flags_bit;
  /// Set if a fork made the frame and its result goes into an eventually of a type without a destructor. We must empty
  /// that eventually if the frame ends by an exception, and the result's address doesn't tell. No address has this bit.
  /// Like `called` it never changes.
  static constexpr word into_eventually = word{1} << 63;

  TINE_ALWAYS_INLINE void be_born(word w) noexcept { word_.begin(w); }
  // relaxed, all of them: the join counter publishes changes of the flags, and a thread knows its own changes
  TINE_ALWAYS_INLINE word get() const noexcept { return glance(*word_); }
  TINE_ALWAYS_INLINE bool has(word flags) const noexcept { return (get() & flags) != 0; }
  word set(word flags) noexcept { return word_->fetch_or(flags, base::relaxed); }
  void clear(word flags) noexcept { word_->fetch_and(~flags, base::relaxed); }

  static frame* parent(word w) noexcept {
    return base::from_word<frame>(w & ~(word{all_flags} | fp_flags | into_eventually));
  }

 private:
  manual_lifetime<base::atomic<word>> word_;
};

/// Where a join's split counter starts (Nowa; libfork, §III-B). Each child that ends after a steal subtracts 1. The
/// join subtracts the difference between this value and the number of steals, so the counter is 0 after the last of
/// them.
inline constexpr std::uint32_t unsplit = 0x7fffffff;

struct alignas(16) frame {
  link up;

  handed_on<std::uint32_t> steals;  ///< number of steals of this frame's continuation since its last join
  manual_lifetime<base::atomic<std::uint32_t>> joins;  ///< the split counter
  handed_on<segmented_stack*> stack;                   ///< the stack that this frame lives on
  handed_on<std::uintptr_t> queued;                    ///< how the continuation was queued last (src/coro/queuing.hpp)
  handed_on<sched::completion*> native_join;           ///< not null: a fiber waits in the middle of this frame's code.
                                                       ///< With link::observed it is kept elsewhere: see native_join_of
  manual_lifetime<std::exception_ptr> error;           ///< valid with link::child_threw

  std::coroutine_handle<> handle() noexcept { return std::coroutine_handle<frame>::from_promise(*this); }
};

/// The answer of a fork's slow path: how the fork continues.
enum class fork_poll : unsigned char {
  proceed,       ///< continue: the work request was acknowledged
  stop,          ///< the strand must stop; the record is gone
  instrumented,  ///< the strand has an observer or is in a region (coro/join_observed.hpp)
};

/// The library's slow paths, with the platform's calling convention.
namespace plain {
TINE_API TINE_COLD fork_poll poll_at_fork(sched::address at) noexcept;
TINE_API TINE_COLD bool leave_after_fork(frame& parent, sched::address at) noexcept;
TINE_API TINE_COLD bool leave_at_join(frame& f) noexcept;
}  // namespace plain

/// The slow path of a fork: the limit is at or below its record, which is at `at`.
TINE_SLOW_PATH fork_poll poll_at_fork(sched::address at) noexcept { return plain::poll_at_fork(at); }
/// The slow path after a forked child has returned, when the parent's record, at `at`, was promoted. Returns false if
/// the record was reclaimed, so the parent continues. Returns true if the caller must return to the driver without
/// touching the frame again.
TINE_SLOW_PATH bool leave_after_fork(frame& parent, sched::address at) noexcept {
  return plain::leave_after_fork(parent, at);
}

/// The join of a suspended frame some of whose children may still run. Returns false if all have ended, so the frame
/// continues. Returns true if the caller must return to the driver without touching the frame again.
TINE_SLOW_PATH bool leave_at_join(frame& f) noexcept { return plain::leave_at_join(f); }

/// Throws the exception of a forked child of `f`.
[[noreturn]] TINE_API TINE_COLD void rethrow(frame& f);

/// Called in the middle of a frame's code: waits until all of its forked children have ended.
TINE_API TINE_COLD void join_natively(frame& f) noexcept;

/// Called when a frame ends by the current exception: hands it to the frame's parent. `slot`: where the result would
/// have gone.
TINE_API TINE_COLD void end_by_exception(frame& f, void* slot) noexcept;

/// Called when a function threw instead of returning a task: ends the program with a message.
[[noreturn]] TINE_API TINE_COLD void end_unstarted() noexcept;

/// Called when the native stack is nearly used up. All native levels return to the driver, which then calls
/// `start(awaiter, parent, where)` on an empty stack; `where` is the return address of this function.
TINE_API TINE_COLD void start_over(frame& parent, void* awaiter,
                                   void (*start)(void* awaiter, frame& parent, std::uintptr_t where),
                                   link::word made_by) noexcept;

}  // namespace tine::detail
