// A party in the queue of a lock: a strand, a task or a thread outside of every pool. Threads that unlock may touch it
// until one of them calls `wake`.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/sched/lock_listener.hpp>

#include <new>

namespace tine {

class mutex;

namespace detail {

/// A variable that threads hand to each other by the word of a lock. The models check these variables for races.
template <class T>
using lock_guarded = T;

/// How many times a waiter of a mutex may be overtaken.
inline constexpr unsigned most_overtakings = 1'000;

/// One wait. It lies in the frame of the party that waits.
struct lock_waiter {
  lock_guarded<lock_waiter*> next;
  void (*wake)(lock_waiter& w) noexcept;  ///< called once, when the party may continue; `w` may be gone afterwards
  bool is_shared;                         ///< it waits as a reader
  bool may_give_up;                       ///< it is a limited_waiter (src/sync/limited_waiter.hpp)
  lock_guarded<mutex*> locks_afterwards;  ///< at a condition variable: the mutex that it locks before it continues
  lock_guarded<lock_waiter*> previous;    ///< in a wait_queue
};

/// The wait of a task. `keep` takes the type of its resumption as a template parameter, so that locks don't depend on
/// coroutines.
struct task_waiter : lock_waiter {
  task_waiter() noexcept {}  // `keep` writes the members, so that a lock without a wait doesn't

  template <class Resumption>
  void keep(Resumption r, bool reads = false) noexcept {
    static_assert(sizeof(Resumption) <= sizeof(resumption_) && alignof(Resumption) <= alignof(void*));
    ::new (static_cast<void*>(resumption_)) Resumption{r};
    wake = [](lock_waiter& w) noexcept {
      const Resumption kept = *base::object_at<Resumption>(static_cast<task_waiter&>(w).resumption_);
      kept.resume();
    };
    is_shared = reads;
    may_give_up = false;
  }

 private:
  alignas(void*) unsigned char resumption_[sizeof(void*)];
};

/// Returns true if the calling thread blocks at locks: it is outside of every pool, or its strand must keep it.
TINE_API TINE_COLD bool must_block() noexcept;

}  // namespace detail
}  // namespace tine
