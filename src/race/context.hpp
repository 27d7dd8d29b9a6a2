// A context: the serial order of the strands of a root, and what the detector knows of the running strand. Only the
// thread that runs the root touches it.
#pragma once

#include "race/growing_list.hpp"
#include "race/history.hpp"
#include "race/locksets.hpp"
#include "race/order.hpp"

#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::sched {
class fiber;
}

namespace tine::detail {

/// The kinds of constructs. `halving`: a fork that stands for a part of a loop, which runs as a tree of forks.
enum class construct_kind : std::uint8_t { fork, loop, halving };

/// A fork or loop that is open.
struct open_construct {
  sched::site where;
  std::uint64_t entry;      ///< the position of its entry in the history
  std::uintptr_t base;      ///< of the strand around it
  std::uintptr_t inside;    ///< of its first branch
  std::uint64_t iteration;  ///< of a loop: the number of the iteration that runs
  strand_number around;     ///< the strand that came to the construct
  strand_number first;      ///< the first strand inside of it
  strand_number latest;     ///< of a loop: the strand of the iteration that runs
  lockset held;             ///< the locks that the strand around it held
  construct_kind kind;
  bool is_serial;     ///< inside tine::sequential, where all is one strand
  bool has_interval;  ///< an earlier branch or iteration has ended
  bool is_second;     ///< of a fork: the second branch runs
  bool
      is_between;  ///< the code of the construct itself runs, and not that of its branches or iterations, and is not checked
};

/// The native stack of a strand: that of a fiber, or that of a thread.
struct native_stack {
  std::uintptr_t begin, end;  ///< without the records of a fiber
  const sched::fiber* fiber;  ///< null: the stack is a thread's
  std::uintptr_t base;        ///< the frames of the running strand lie below it
  std::uintptr_t low_water;   ///< no access below it has been recorded since the strand's base was there

  bool holds(std::uintptr_t address) const noexcept { return address - begin < end - begin; }
};

struct context {
  strand_number strand = 0;  ///< the running strand
  lockset held = 0;          ///< the locks that it holds
  std::uint64_t reads = 0, writes = 0;
  detail::order order;
  native_stack* stack = nullptr;  ///< of the running strand
  growing_list<open_construct> open;
  growing_list<native_stack> stacks;  ///< on which strands of the root have run
  detail::history history;
};

/// The context whose accesses are checked on this thread; null: none. `unlocked_context` is the same, but null while
/// the strand holds a lock. The addresses are not held over user code, which may change threads.
extern thread_local constinit context* checked_context [[gnu::tls_model("initial-exec")]];
extern thread_local constinit context* unlocked_context [[gnu::tls_model("initial-exec")]];

TINE_ALWAYS_INLINE void set_checked(context* c) noexcept {
  checked_context = c;
  unlocked_context = c != nullptr && c->held == 0 ? c : nullptr;
}

}  // namespace tine::detail
