// Tasks: promoted records, which thieves can steal. The waiter and the finisher of a task, on any two threads,
// synchronise by one word, its completion. This file doesn't depend on a front end: each front end supplies a
// `descriptor`.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/region.hpp>
#include <tine/sched/promotion.hpp>

#include <cstdint>
#include <new>

namespace tine::sched {

struct task;
struct scope;

/// A front end's description of one kind of record; one constant per call site.
struct descriptor {
  /// Runs the task on the current fiber and leaves its result or its exception in the record. Returns true if the task
  /// threw; never throws itself.
  bool (*run)(task&) noexcept;
  /// Bytes that the record occupies on the shadow stack. A range states its size itself.
  std::uint32_t size;
  /// True: records of this kind are ranges, not tasks (splittable_range.hpp), and `run` runs their promoted subranges.
  bool is_range = false;
  /// The share of tokens that moves to a promoted record of this kind.
  token_sharing sharing = token_sharing::half;
};

/// The word by which the waiter and the finisher of a task synchronise. It is empty at first, then holds either a
/// waiter or the end, then the end. Each side makes one atomic operation, and the side that comes second acts.
class completion {
 public:
  using word = std::uintptr_t;

  /// Facts about a finished task. `finished` is always set in its word.
  enum flag : word {
    finished = 1,    ///< it ran
    threw = 2,       ///< its payload is an exception
    short_task = 4,  ///< it ran so short that its promotion did not pay
  };
  /// From this bit on: the sticky flags of the floating-point environment that it raised.
  static constexpr unsigned fp_flags_bit = 8;

  completion() noexcept = default;
  /// A completion that already has its waiter, named by the word. For tasks whose waiter exists before they do.
  explicit completion(word waiter) noexcept : word_{waiter} {}

  /// The waiter. Returns true if the task is finished: you may read the result, and no finisher will resume the waiter.
  bool is_finished() const noexcept {
    // pairs with the exchange in finish, so that we see the result
    return (word_.load(base::acquire) & finished) != 0;
  }

  /// Returns the flags with which the task ended. Call it only after is_finished() returned true, or after a
  /// resumption.
  word flags() const noexcept {
    // relaxed: a thread that may call this has already synchronised with finish
    return word_.load(base::relaxed);
  }

  /// The waiter: stores its address (a multiple of 8, or with low bits that it has a use for, but not bit 0). Returns
  /// true if the finisher will resume the waiter, and false if the task is already finished. Call it when the waiter
  /// can be resumed: the finisher may resume it before this returns.
  bool await(word waiter) noexcept {
    word none = 0;
    // release pairs with the exchange in finish, so that the finisher sees the waiter's saved context; acquire pairs
    // with it, too, so that a waiter that comes late sees the result
    return word_.compare_exchange_strong(none, waiter, base::acq_rel, base::acquire);
  }

  /// The finisher: publishes the end and returns the waiter, or 0 if there is none yet. The task may be gone when this
  /// returns, so the finisher must not touch any of it afterwards.
  word finish(word flags) noexcept {
    // release pairs with the acquires in is_finished and await, so that they see the result; acquire pairs with the
    // release in await, so that we see the waiter's context
    return word_.exchange(flags | finished, base::acq_rel);
  }

 private:
  base::atomic<word> word_{0};
};

/// Returns the floating-point flags that a task with these flags raised.
constexpr std::uint32_t fp_flags_of(completion::word flags) noexcept {
  return static_cast<std::uint32_t>(flags >> completion::fp_flags_bit);
}

/// The head of every record. The fast path of a fork writes `what` and nothing else; promotion initialises the rest.
/// From then on the record is the task: we copy and allocate nothing.
struct task {
  const descriptor* what;
  completion done;
  int tokens;                          ///< before the run: what the child may spend; after it: what it has left
  base::atomic<bool> stopping{false};  ///< the task is to stop (scope.hpp); set by its owner, or by an earlier sibling
  std::uint32_t alerts : 1 = 0;        ///< it ended by an exception and raised an alert, which its owner ends
  /// The control words of the floating-point environment (src/base/fp_environment.hpp) with which it starts.
  std::uint32_t fp_words : 20 = 0;
  /// The innermost scope that its fork was in; null: none. If its fork was counted in a region, this is the position of
  /// that fork instead, with counted_bit; the position then knows the scope.
  std::uintptr_t inherited = 0;

  /// Initialises the members that the fork has not written.
  void become_task() noexcept {
    ::new (static_cast<void*>(&done)) completion;
    tokens = 0;
    ::new (static_cast<void*>(&stopping)) base::atomic<bool>{false};
    alerts = 0;
    fp_words = 0;
    inherited = 0;
  }

  /// While the record of an instrumented strand is pending, the memory of `done` holds the position of its fork, if the
  /// fork is counted; otherwise null.
  TINE_ALWAYS_INLINE void write_position(position* p) noexcept { ::new (static_cast<void*>(&done)) position* {p}; }
  position* written_position() const noexcept { return *base::object_at<position*>(&done); }

  void set_fp_words(std::uint32_t words) noexcept { fp_words = words & 0xfffff; }

  void inherit(const scope* s) noexcept { inherited = base::to_word(s); }
  void inherit(position& of_fork, const scope* s) noexcept {
    of_fork.inside = s;
    inherited = base::to_word(&of_fork) | counted_bit;
  }
  /// Returns the position of the counted fork whose second branch this is, or null.
  position* counted_fork() const noexcept { return (inherited & counted_bit) != 0 ? position::of(inherited) : nullptr; }
  /// Returns the innermost scope that its fork was in.
  const scope* innermost_scope() const noexcept {
    return counted_fork() != nullptr ? counted_fork()->inside : base::from_word<const scope>(inherited);
  }
};

}  // namespace tine::sched
