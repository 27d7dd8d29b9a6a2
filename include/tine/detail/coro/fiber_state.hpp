// The fiber-local words that coroutines use (detail/sched/hot_words.hpp): they describe the strand that runs. No
// address is remembered over a call of user code, because a strand may continue on another thread.
#pragma once

#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/hot_words.hpp>
#include <tine/detail/sched/shadow_stack.hpp>

namespace tine::detail {

/// The fiber-local words by number.
enum fiber_local_word : unsigned {
  stack_top,         ///< where the next frame goes
  stacklet_begin,    ///< of the newest stacklet, negated
  stacklet_length,   ///< of the newest stacklet
  native_limit,      ///< below this address the native stack is too short for one more level
  parent_link,       ///< hand-off to the next child: its parent and how it was made
  result_slot_word,  ///< hand-off to the next child: where its result goes
  unwinding,         ///< not 0: the native levels above the driver return to it
  stack_object,      ///< the segmented stack
  driver_object,     ///< the driver that resumes frames here
  thrown,            ///< not 0: a called child has just ended by an exception, which is at this address
};

namespace fiber_state {

template <fiber_local_word W>
TINE_ALWAYS_INLINE std::uintptr_t get(sched::hot::block b = {}) noexcept {
  return sched::hot::fiber_local<W>(b);
}
template <fiber_local_word W>
TINE_ALWAYS_INLINE void set(std::uintptr_t word, sched::hot::block b = {}) noexcept {
  sched::hot::set_fiber_local<W>(word, b);
}
template <fiber_local_word W, class T>
TINE_ALWAYS_INLINE void set(T* pointer, sched::hot::block b = {}) noexcept {
  sched::hot::set_fiber_local<W>(base::to_word(pointer), b);
}

TINE_ALWAYS_INLINE bool is_unwinding() noexcept { return sched::hot::is_fiber_local_set<unwinding>(); }
TINE_ALWAYS_INLINE bool has_thrown() noexcept { return sched::hot::is_fiber_local_set<thrown>(); }
TINE_ALWAYS_INLINE bool is_too_deep(sched::hot::block b = {}) noexcept {
  return sched::hot::is_stack_below_fiber_local<native_limit>(b);
}

}  // namespace fiber_state
}  // namespace tine::detail
