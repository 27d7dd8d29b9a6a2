// What can be stolen and resumed: a promoted record, and the one word between whoever waits for it and whoever finishes
// it. Knows no front end: a front end supplies a `descriptor`.
#pragma once

#include <tine/base/atomic.hpp>
#include <tine/sched/policy.hpp>

#include <cstdint>
#include <new>

namespace tine::sched {

struct task;
struct scope;

/// What a front end says about one kind of record; one constant per call site.
struct descriptor {
  /// Runs the task on the current fiber and leaves its result or its exception in the record. Returns whether it threw;
  /// never throws itself.
  bool (*run)(task&) noexcept;
  /// Bytes the record occupies on the shadow stack, unless it is a range, which says so itself.
  std::uint32_t size;
  /// Whether records of this kind are no tasks but ranges (range.hpp), and `run` is for their parts.
  bool is_range = false;
  /// What a promoted one takes along.
  token_sharing sharing = token_sharing::half;
};

/// The word between the one who waits for a task and the one who finishes it: empty, then either a waiter or the end,
/// then the end. Both sides meet in one atomic operation each, and whoever comes second acts.
class completion {
 public:
  using word = std::uintptr_t;

  /// What is known of a finished task. `finished` is always set in it.
  enum flag : word {
    finished = 1,  ///< it ran
    threw = 2,     ///< its payload is an exception
    brief = 4,     ///< it ran so short that its promotion did not pay
  };

  completion() noexcept = default;
  /// Already waited for: by whom the word says. For tasks whose waiter exists before they do.
  explicit completion(word waiter) noexcept : word_{waiter} {}

  /// The waiter's glance. True: the result may be read, and nobody will resume the waiter.
  bool is_finished() const noexcept {
    // pairs with the exchange in finish, so that the result is seen
    return (word_.load(base::acquire) & finished) != 0;
  }

  /// The flags the task ended with. Only after is_finished() or a resumption.
  word flags() const noexcept {
    // relaxed: whoever may call this has synchronised with finish already
    return word_.load(base::relaxed);
  }

  /// The waiter: leaves its address (a multiple of 8, or with the low bits it has use for, but not bit 0). True: the
  /// finisher will resume it. False: the task is finished, nobody will. To be called when the waiter can already be
  /// resumed, because it may be before this returns.
  bool await(word waiter) noexcept {
    word none = 0;
    // release pairs with the exchange in finish, so that the finisher sees the waiter's saved context; acquire pairs
    // with it too, so that a waiter who comes late sees the result
    return word_.compare_exchange_strong(none, waiter, base::acq_rel, base::acquire);
  }

  /// The finisher: publishes the end and takes the waiter, 0 if there is none yet. The task may be gone when this
  /// returns; nothing of it may be touched any more.
  word finish(word flags) noexcept {
    // release pairs with the acquires in is_finished and await, so that the result is seen; acquire pairs with the
    // release in await, so that the waiter's context is seen
    return word_.exchange(flags | finished, base::acq_rel);
  }

 private:
  base::atomic<word> word_{0};
};

/// The head of every record. The fast path of a fork writes `what` and nothing else; the rest comes to life when the
/// record is promoted. From then on the record is the task: nothing is copied or allocated.
struct task {
  const descriptor* what;
  completion done;
  int tokens;                          ///< on the way out: what the child may spend; on the way back: what it did not
  base::atomic<bool> stopping{false};  ///< the task is to stop (scope.hpp); set by its owner, or by a sibling before it
  bool alerts = false;                 ///< its end by an exception has raised an alert, which its owner ends
  const scope* inside = nullptr;       ///< the innermost scope that its fork was in; null: none

  /// Brings to life what the fork has not written.
  void become_task() noexcept {
    ::new (static_cast<void*>(&done)) completion;
    tokens = 0;
    ::new (static_cast<void*>(&stopping)) base::atomic<bool>{false};
    alerts = false;
    inside = nullptr;
  }
};

}  // namespace tine::sched
