// A number of permits, and the queue of the parties that wait for one. Any thread may take and give permits.
#pragma once

#include <tine/detail/sync/moment.hpp>
#include <tine/detail/sync/wait_queue.hpp>

namespace tine::detail {

/// The word counts the permits. Parties wait only while there is none; the first of them gets the next permit.
struct permits {
  using word = wait_queue::word;
  static constexpr word unit = wait_queue::unit;

  /// Takes a permit and returns true if there is one and no other thread is at the queue.
  TINE_ALWAYS_INLINE bool take_now() noexcept {
    word now = queue.state.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    while (now >= unit && (now & wait_queue::bits) == 0) {
      // acquire pairs with the release in give and in unlock of the queue, so that we see what the giver wrote
      if (queue.state.compare_exchange_strong(now, now - unit, base::acquire, base::relaxed)) return true;
    }
    return false;
  }
  TINE_ALWAYS_INLINE void give(word n) noexcept {
    word now = queue.state.load(base::relaxed);  // relaxed: the compare-and-swap checks it
    while ((now & wait_queue::bits) == 0) {
      // release pairs with the acquire in take_now and in lock of the queue, so that who takes a permit sees what this
      // giver wrote
      if (queue.state.compare_exchange_strong(now, now + n * unit, base::release, base::relaxed)) return;
    }
    give_slowly(n);
  }

  /// Takes a permit and returns true, or queues `w`, which is woken with a permit.
  TINE_API bool take_or_enqueue(lock_waiter& w) noexcept;
  TINE_API TINE_COLD void take_slowly(lock_kind of) noexcept;
  /// Takes a permit and returns true if there is one until then. `of`: the object, for the lock checker.
  TINE_API TINE_COLD bool take_until(moment until, lock_kind of) noexcept;
  TINE_API TINE_COLD void give_slowly(word n) noexcept;

  wait_queue queue;
};

}  // namespace tine::detail
