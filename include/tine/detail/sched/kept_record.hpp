// Keeps the record of a joined fork or loop while code of the program reads it: a combine, or the move constructor or
// the destructor of a result. Such code may fork, and its records would lie where the joined one is.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/hot_words.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/detail/sched/shadow_stack.hpp>

namespace tine::sched {

/// While it lives, new records lie above the record from `begin` to `end`, and no worker promotes it. The record is the
/// newest one on the shadow stack. If it has been joined, the top is at its begin; the record of a branch that was
/// placed on a worker is still below the top.
class kept_record {
 public:
  kept_record(address begin, address end) noexcept : begin_{begin}, end_{hot::top() == begin ? end : nullptr} {
    if (end_ == nullptr) return;
    // `bot` moves first: a signal handler in between finds nothing pending, because `bot` is above the top.
    rewind_shadow_stack(end_);
    base::signal_fence();
    push_observed(begin_, end_);
  }
  ~kept_record() {
    if (end_ == nullptr) return;
    pop_observed(begin_, end_);
    base::signal_fence();
    rewind_shadow_stack(begin_);
  }
  kept_record(const kept_record&) = delete;
  kept_record& operator=(const kept_record&) = delete;

 private:
  const address begin_, end_;  ///< no end: the record lies below the top anyway
};

}  // namespace tine::sched
