// How constructs open and close: what forks, loops and tasks of groups have in common. Only the thread that runs the
// context calls this.
#pragma once

#include "race/context.hpp"
#include "race/contexts.hpp"
#include "race/found_races.hpp"
#include "race/release_word.hpp"
#include "race/shadow.hpp"

#include <algorithm>
#include <cstdint>

namespace tine::detail {

inline constexpr const char* lost_order =
    "a strand waited for something outside of its root, and another strand of the root ran in the meantime, so the strands did not run in the serial order";

/// From here on next_strand must test for the last number.
inline constexpr strand_number last_usual_strand = end_of_strands - 2;

/// Returns a number for a new strand of the context.
TINE_ALWAYS_INLINE strand_number next_strand(context& c) noexcept {
  const strand_number s = c.order.next();
  if (s >= end_of_strands) [[unlikely]]
    found_races::give_up("it had more than 4,294,967,293 strands");
  return s;
}

/// The running strand gets a new number, by which it differs from what it has done before.
inline void renumber(context& c) noexcept {
  c.strand = next_strand(c);
  if (!c.open.empty() && c.open.back().kind == construct_kind::loop && !c.open.back().is_serial)
    c.history.add(history::event::iterations, c.strand, c.strand, c.open.back().iteration);
}

/// The running strand continues behind the join of a construct. Its number from before the construct doesn't tell
/// whether an access comes after a release inside.
inline void continue_behind(context& c, const open_construct& joined) noexcept {
  c.strand = joined.around;
  if (c.latest_release >= joined.first) [[unlikely]]
    renumber(c);
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
                         .is_between = false,
                         .let_others_run = nullptr};
  c.steady_loop = nullptr;
  if (!c.open.push(o)) found_races::give_up("no memory was left for the list of open forks and loops");
}

/// A branch, an iteration or a task of the innermost construct has ended, and the next one is parallel to the tasks
/// that this one has waited for. `owner`: the construct's, or the group's.
TINE_COLD void reopen_waited_tasks(context& c, interval_owner owner) noexcept;
/// The construct at position `construct` is joined, so that the strand around it knows those tasks, too.
TINE_COLD void keep_waited_tasks(context& c, std::uint32_t construct) noexcept;

inline void open_loop(context& c, sched::site where) noexcept {
  const bool is_serial = sched::is_kept_sequential();
  open_construct_at(c, construct_kind::loop, where, is_serial);
  if (!is_serial) c.history.add(history::event::loop, c.open.back().first, c.strand, where);
}

/// An iteration of the newest open construct, a loop, starts.
TINE_ALWAYS_INLINE void begin_iteration(context& c, std::uint64_t i) noexcept {
  open_construct& o = c.open.back();
  o.iteration = i;
  // An iteration that has added tasks has left a lower base.
  if (native_stack& s = *c.stack; s.low_water < s.base || (o.inside != 0 && s.base < o.inside)) [[unlikely]]
    set_base(c, o.inside != 0 ? o.inside : s.base);
  if (o.is_between) {
    o.is_between = false;
    continue_checking();
  }
  if (o.is_serial) return;
  const strand_number s = next_strand(c);
  if (s != o.latest + 1 || o.latest == 0) c.history.add(history::event::iterations, s, s, i);
  c.strand = o.latest = s;
  const auto owner = static_cast<interval_owner>(c.open.size() - 1);
  if (o.has_interval) [[likely]] {
    c.order.extend(s, owner, o.first);
  } else if (s != o.first) {
    o.has_interval = c.order.push(o.first, s, owner);
  }
  if (!c.waited.empty()) [[unlikely]]
    reopen_waited_tasks(c, owner);
  if (!c.acquired.empty()) [[unlikely]]
    reopen_acquired(c);
}

/// The construct around which `depth` others are open has been joined.
inline void close_construct(context& c, std::uint32_t depth) noexcept {
  if (c.open.size() != depth + 1) return found_races::give_up(lost_order);
  const open_construct& o = c.open.back();  // stays where it is until another one opens
  c.open.pop();
  c.steady_loop = nullptr;
  if (o.has_interval) c.order.pop(depth);
  if (!c.waited.empty()) keep_waited_tasks(c, depth);
  if (!c.acquired.empty()) keep_acquired(c, depth);
  if (!o.is_serial) {
    using enum history::event;
    c.history.add(o.kind == construct_kind::loop ? loop_end : join, c.order.last() + 1, 0, 0);
  }
  continue_behind(c, o);
  // While a task that was added inside is open, the frames around the construct are shared with it.
  const std::uintptr_t base = o.inside != 0 && c.order.has_loose_from(o.first) ? std::min(o.base, o.inside) : o.base;
  stack_below(c, base).base = base;
  if (o.is_between) continue_checking();
}

}  // namespace tine::detail
