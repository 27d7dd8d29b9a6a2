// A context: the serial order of a root's strands, and what the detector knows of the running strand. Only the thread
// that runs the root touches it.
#pragma once

#include "race/growing_list.hpp"
#include "race/history.hpp"
#include "race/known_strands.hpp"
#include "race/locksets.hpp"
#include "race/order.hpp"

#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::sched {
class fiber;
}

namespace tine::detail {

/// The kinds of constructs. `halving`: a fork that stands for a part of a loop that runs as a tree of forks. `task`: a
/// task of a group, which runs where it was added.
enum class construct_kind : std::uint8_t { fork, loop, halving, task };

/// A fork or loop that is open, or a task that runs.
struct open_construct {
  sched::site where;
  std::uint64_t entry;       ///< the position of its entry in the history
  std::uintptr_t base;       ///< of the strand around it
  std::uintptr_t inside;     ///< of its first branch
  std::uint64_t iteration;   ///< of a loop: the number of the iteration that runs
  strand_number around;      ///< the strand that came to the construct
  strand_number first;       ///< the first strand inside of it
  strand_number latest;      ///< of a loop: the strand of the iteration that runs
  lockset held;              ///< the locks that the strand around it held
  interval_owner group;      ///< of a task
  std::uint32_t task_depth;  ///< of a task: the number of open constructs with the task around it; 0: there is none
  construct_kind kind;
  bool is_serial;     ///< inside tine::sequential, where everything is one strand
  bool has_interval;  ///< an earlier branch or iteration has ended
  bool is_second;     ///< of a fork: the second branch runs
  /// the construct's own code runs, not that of its branches or iterations, and is not checked
  bool is_between;
  void (*let_others_run)() noexcept;  ///< of a team whose members may pause; see <tine/race/team.hpp>
};

/// The native stack of a strand: that of a fiber, or that of a thread.
struct native_stack {
  std::uintptr_t begin, end;  ///< without the records of a fiber
  const sched::fiber* fiber;  ///< null: the stack is a thread's
  std::uintptr_t base;        ///< the frames of the running strand lie below it
  std::uintptr_t low_water;   ///< nothing below it was recorded since the strand's base was there

  bool holds(std::uintptr_t address) const noexcept { return address - begin < end - begin; }
};

/// Tasks of a group that the running strand has waited for, although they were added outside of the branch, iteration
/// or task in which it runs. When that ends, they are parallel again, until the construct around it is joined.
struct waited_tasks {
  strand_number lo, hi;
  std::uint32_t inside;  ///< the number of constructs around the code that knows them
  bool is_reopened;      ///< another branch of the innermost one runs now
  /// The group to which they return when the task that knows them ends; 0: they go to that task's own group.
  interval_owner returns_to;
};

/// The strands that the running one knows by an atomic operation, inside of so many constructs. When the branch,
/// iteration or task in which that was ends, its siblings don't know it; the code behind the join does.
struct acquired {
  known_strands known;
  std::uint32_t inside;
  bool is_reopened;      ///< a sibling runs now
  std::uintptr_t place;  ///< of the operation; 0: it would acquire the same in every schedule
};

/// Tasks of a group have acquired this and have ended: a strand that waits for them knows it, too.
struct acquired_by_task {
  interval_owner group;
  known_strands known;
  std::uintptr_t place;  ///< as in acquired
};

/// A member of a team runs from here without a pause: its strands go up to those of the next stretch.
struct stretch_of_member {
  strand_number first;
  std::uint64_t member;
};

/// A member that waits in the midst of a phase, while others run.
struct paused_member {
  std::uint64_t member;
  std::uint32_t inside;     ///< the number of open constructs, the team included
  known_strands known;      ///< what it knew
  lockset held_from_start;  ///< as in the context
};

/// How often strands have looked, i.e. released a lock or repeated an atomic read, since any of them has written.
struct looks_in_vain {
  static constexpr unsigned enough = 100;

  std::uint64_t writes = 0;
  unsigned count = 0;
  std::uintptr_t place = 0;           ///< where the latest lock was taken
  std::uint64_t writes_unlocked = 0;  ///< the number of writes when the strand took its outermost lock
};

/// The words that a strand reads, while we look whether it only waits (patience.cpp).
struct followed_reads {
  static constexpr unsigned most_words = 4, enough = 200;

  bool is_on = false;  ///< another thread sets it
  unsigned words = 0, reads = 0;
  std::uintptr_t addresses[most_words] = {};
  std::uintptr_t place = 0;  ///< the strand has read the same few words again and again, last here; 0: it hasn't
};

/// A task that was added under a lock, and starts when the strand holds none. The real task might wait for the lock.
struct postponed_task {
  void (*run)(void*) noexcept;
  void* task;
  sched::site where;
  interval_owner group;
  strand_number since;   ///< the strands of the caller from here on are parallel to the task
  std::uint32_t depth;   ///< the number of open constructs
  std::size_t acquired;  ///< the number of entries in context::acquired
};

/// The slots that the running strand has chosen by its worker (slots.hpp).
struct worker_slots {
  lockset chosen = 0;        ///< a lock for each of them
  strand_number by = 0;      ///< the strand that has chosen them
  strand_number newest = 0;  ///< strand at that time
};

struct context {
  strand_number strand = 0;  ///< the running strand
  lockset held = 0;          ///< the locks that it holds
  worker_slots slots;
  looks_in_vain looks;
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t repeated = 0;  ///< see check_progress in patience.hpp
  struct atomic_read {
    std::uintptr_t address;
    strand_number strand;
  };
  atomic_read latest_reads[4] = {};  ///< by address
  std::uintptr_t repeated_at = 0;    ///< the place of the latest repeated read
  followed_reads followed;
  context** unlocked_of_thread = nullptr;  ///< `unlocked_context` of the thread that checks the root
  detail::order order;
  native_stack* stack = nullptr;  ///< of the running strand
  growing_list<open_construct> open;
  /// The innermost loop, if its next iteration only needs a new number (can_extend_by_next); null: we don't know.
  open_construct* steady_loop = nullptr;
  growing_list<native_stack> stacks;  ///< on which strands of the root have run
  detail::history history;
  growing_list<waited_tasks> waited;
  growing_list<postponed_task> postponed;
  growing_list<detail::acquired> acquired;
  growing_list<acquired_by_task> acquired_by_tasks;
  growing_list<stretch_of_member> stretches;  ///< of the phases of all open teams
  growing_list<paused_member> paused;
  lockset held_from_start = 0;       ///< the locks that the running member has held since its phase started
  bool has_paused = false;           ///< the running member has waited in its phase
  bool has_had_pauses = false;       ///< so has some member
  strand_number latest_release = 0;  ///< the strand behind the latest release
  strand_number began = 0;           ///< the first strand of the root
  std::uint64_t entry = 0;           ///< the position in the history at its start
  /// Returns the number of constructs with the innermost task that runs, itself included; 0: none runs.
  std::uint32_t task_depth() const noexcept { return order.task_depth(); }
  bool is_outside = false;  ///< the root is the code of a thread outside of all pools, while a group has tasks of it
};

/// The context whose accesses this thread checks; null: none. `unlocked_context` is the same, but null while the strand
/// holds a lock. Don't keep their addresses over user code, because that may change threads.
extern thread_local constinit context* checked_context [[gnu::tls_model("initial-exec")]];
extern thread_local constinit context* unlocked_context [[gnu::tls_model("initial-exec")]];

TINE_ALWAYS_INLINE void set_checked(context* c) noexcept {
  checked_context = c;
  unlocked_context = c != nullptr && c->held == 0 ? c : nullptr;
}

}  // namespace tine::detail
