// How constructs open and close: what forks, loops and tasks of groups have in common. Only the thread that runs the
// context calls this.
#pragma once

#include "race/context.hpp"
#include "race/contexts.hpp"
#include "race/found_races.hpp"
#include "race/shadow.hpp"

#include <cstdint>

namespace tine::detail {

inline constexpr const char* lost_order =
    "a strand waited for something outside of its root, and another strand of the root ran in the meantime, so the strands did not run in the serial order";

/// From here on next_strand must test for the last number.
inline constexpr strand_number last_usual_strand = ~strand_number{0} - 2;

/// Returns a number for a new strand of the context.
TINE_ALWAYS_INLINE strand_number next_strand(context& c) noexcept {
  const strand_number s = c.order.next();
  if (s == ~strand_number{0}) [[unlikely]]
    found_races::give_up("it had more than 4,294,967,294 strands");
  return s;
}

/// Makes the stack with the frames that end at `base` the running one; `base` may be the end of the stack.
TINE_ALWAYS_INLINE native_stack& stack_below(context& c, std::uintptr_t base) noexcept {
  if (!c.stack->holds(base - 1)) [[unlikely]]
    c.stack = &stack_around(c, base - 1);
  return *c.stack;
}

/// The strand that starts now has its frames below `base`. The records there are of strands that have ended, with their
/// frames.
TINE_ALWAYS_INLINE void set_base(context& c, std::uintptr_t base) noexcept {
  native_stack& s = stack_below(c, base);
  s.base = base;
  if (s.low_water < base) [[unlikely]] {
    shadow::forget(s.low_water, base - s.low_water);
    s.low_water = base;
  }
}

/// Returns where the frames of a function's callees end, given its frame address.
inline std::uintptr_t frames_below(const void* frame) noexcept { return base::to_word(frame) + 16; }

inline bool is_of_coroutine(sched::site where) noexcept { return (where & sched::of_coroutine) != 0; }

inline void open_construct_at(context& c, construct_kind kind, sched::site where, bool is_serial) noexcept {
  const open_construct o{.where = where,
                         .entry = c.history.position(),
                         .base = c.stack->base,
                         .inside = 0,
                         .iteration = 0,
                         .around = c.strand,
                         .first = c.order.last() + 1,
                         .latest = 0,
                         .held = c.held,
                         .group = 0,
                         .task_depth = 0,
                         .kind = kind,
                         .is_serial = is_serial,
                         .has_interval = false,
                         .is_second = false,
                         .is_between = false};
  if (!c.open.push(o)) found_races::give_up("no memory was left for the list of open forks and loops");
}

/// A branch, an iteration or a task of the innermost construct has ended, and the next one is parallel to the tasks
/// that this one has waited for. `owner`: the construct's, or the group's.
TINE_COLD void reopen_waited_tasks(context& c, interval_owner owner) noexcept;
/// The construct at position `construct` is joined, so that the strand around it knows those tasks, too.
TINE_COLD void keep_waited_tasks(context& c, std::uint32_t construct) noexcept;

}  // namespace tine::detail
