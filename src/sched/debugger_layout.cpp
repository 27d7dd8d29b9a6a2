// The scheduler's table for debuggers.
#include "sched/debugger.hpp"

#include "sched/guard_pages.hpp"
#include "sched/join_counter.hpp"
#include "sched/pool_state.hpp"

#include <cstddef>

// GCC and Clang define offsetof for classes with private members or a base, too, and warn that the standard does not.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

namespace tine::sched {

/// A friend of the classes whose members it lists.
struct debugger_layout {
  static const base::layout_entry entries[];
};

namespace {
using task_deque = deque<task>;
}

constinit const base::layout_entry debugger_layout::entries[] = {
    TINE_OFFSET_OF(pool_list, all),
    TINE_OFFSET_OF(pool_state, table_),
    TINE_OFFSET_OF(pool_state, members_),
    TINE_OFFSET_OF(pool_state, is_lost),
    TINE_OFFSET_OF(pool_state, roots),
    TINE_OFFSET_OF(root_queue, urgent_),
    TINE_OFFSET_OF(root_queue, normal_),
    TINE_OFFSET_OF(submission_list, first_),
    TINE_OFFSET_OF(submission, what),
    TINE_OFFSET_OF(submission, next),
    TINE_OFFSET_OF(inbox, pinned_),
    TINE_OFFSET_OF(inbox, shared_),
    TINE_OFFSET_OF(inbox, affine_),
    TINE_OFFSET_OF(parked_list, list_),
    TINE_OFFSET_OF(worker, index),
    TINE_OFFSET_OF(worker, below),
    TINE_OFFSET_OF(worker, tasks),
    TINE_OFFSET_OF(worker, box),
    TINE_OFFSET_OF(worker, parked),
    TINE_OFFSET_OF(worker, busy),
    TINE_OFFSET_OF(worker, words),
    TINE_OFFSET_OF(worker, thread),
    TINE_OFFSET_OF(worker, idle_parker),
    TINE_OFFSET_OF(worker, aside_parker),
    TINE_OFFSET_OF(worker, is_away),
    TINE_OFFSET_OF(worker, running_),
    TINE_OFFSET_OF(worker, native_),
    TINE_OFFSET_OF(parker, state_),
    TINE_VALUE_OF(parker::asleep),
    TINE_OFFSET_OF(task_deque, top_),
    TINE_OFFSET_OF(task_deque, bottom_),
    TINE_OFFSET_OF(task_deque, array_),
    TINE_OFFSET_OF(task_deque::array, capacity),
    TINE_OFFSET_OF(task_deque::array, slots),
    TINE_OFFSET_OF(guard_pages::entry, begin),
    TINE_OFFSET_OF(guard_pages::entry, end),
    TINE_OFFSET_OF(guard_pages::entry, of),
    TINE_OFFSET_OF(guard_pages::entry, next),
    TINE_OFFSET_OF(fiber, point),
    TINE_OFFSET_OF(fiber, origin),
    TINE_OFFSET_OF(fiber, work),
    TINE_OFFSET_OF(fiber, work_begin),
    TINE_OFFSET_OF(fiber, left_by),
    TINE_OFFSET_OF(fiber, awaited),
    TINE_OFFSET_OF(fiber, open_records_end),
    TINE_OFFSET_OF(fiber, records_),
    TINE_OFFSET_OF(fiber, fiber_local_),
    TINE_OFFSET_OF(fiber, return_),
    TINE_VALUE_OF(fiber::dumped_record_bytes),
    TINE_VALUE_OF(departure::then::suspend),
    TINE_VALUE_OF(departure::then::wait),
    TINE_OFFSET_OF(join_counter, missing),
    TINE_OFFSET_OF(context, point),
    TINE_OFFSET_OF(hot_words, top),
    TINE_OFFSET_OF(hot_words, fiber_local),
    TINE_OFFSET_OF(task, what),
    TINE_OFFSET_OF(task, done),
    TINE_OFFSET_OF(descriptor, run),
    TINE_OFFSET_OF(descriptor, size),
    TINE_OFFSET_OF(descriptor, is_range),
    TINE_OFFSET_OF(promoted_subrange, of),
    TINE_OFFSET_OF(promoted_subrange, begin),
    TINE_OFFSET_OF(promoted_subrange, end),
    TINE_OFFSET_OF(splittable_range, max_promoted),
    TINE_OFFSET_OF(splittable_range, head),
    TINE_OFFSET_OF(splittable_range, stride),
    TINE_VALUE_OF(continuation_bit),
    TINE_VALUE_OF(continuation_bytes),
    TINE_VALUE_OF(storage_block_bit),
    TINE_VALUE_OF(root_shift),
    TINE_VALUE_OF(waits_for_root),
    TINE_VALUE_OF(waits_at_join_counter),
    TINE_VALUE_OF(is_on_heap),
    {"", 0},
};

}  // namespace tine::sched

extern "C" {
constinit tine::sched::debugger tine_debugger{
    {'t', 'i', 'n', 'e', '-', 'd', 'b', 'g'}, 1,
    tine::sched::debugger_layout::entries,    tine::sched::tine_coroutine_layout,
    &tine::sched::guard_pages::all,           nullptr,
};
}

// A program with the static library contains the script, in a section that gdb reads and that is not loaded. The first
// byte means a script in Python; its name and its text follow.
#ifdef TINE_STATIC
__asm__(
    ".pushsection .debug_gdb_scripts, \"MS\", @progbits, 1\n"
    ".byte 4\n"
    ".ascii \"tine-gdb\\n\"\n"
    ".incbin \"" TINE_GDB_SCRIPT
    "\"\n"
    ".byte 0\n"
    ".popsection\n");
#endif
