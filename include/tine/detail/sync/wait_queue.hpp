// The queue of the parties that wait at an object, in one word with the object's own state. Any thread may change the
// word; the queue belongs to the thread that has locked it.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sync/lock_waiter.hpp>

#include <cstdint>

namespace tine::detail {

/// Parties that were taken off a queue, in the order in which they are woken.
class woken_list {
 public:
  void append(lock_waiter& w) noexcept {
    w.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &w;
    last_ = &w;
  }
  /// Wakes all of them. The object at which they waited may be gone when the first one is woken.
  void wake() noexcept {
    for (lock_waiter* w = first_; w != nullptr;) {
      lock_waiter* const after = w->next;
      w->wake(*w);
      w = after;
    }
  }
  lock_waiter* first() const noexcept { return first_; }

 private:
  lock_guarded<lock_waiter*> first_ = nullptr;
  lock_guarded<lock_waiter*> last_ = nullptr;
};

/// Parties in the order of their arrival. Two bits of the word are the queue's. The object has the others, e.g. for a
/// count, so that one compare-and-swap sees both.
struct wait_queue {
  using word = std::uintptr_t;
  static constexpr word locked = 1;  ///< a thread changes the queue
  static constexpr word queued = 2;  ///< parties wait
  static constexpr word bits = locked | queued;
  static constexpr word unit = 4;  ///< the object's lowest bit

  /// Locks the queue and returns the object's bits. No other thread changes the word meanwhile, if the object's fast
  /// paths leave a locked word alone.
  word lock() noexcept;
  /// Unlocks the queue. From now on the word has these bits of the object.
  void unlock(word own) noexcept;

  // for the thread that has locked the queue
  void push(lock_waiter& w) noexcept;
  void remove(lock_waiter& w) noexcept;
  /// Moves up to `at_most` parties from the front of the queue to `to`, and lowers `at_most` by their number. Returns
  /// true if a party at the front is just giving up: then unlock the queue, so that it can leave, and try again.
  bool take(word& at_most, woken_list& to) noexcept;

  /// Takes a party out of the queue that gives up.
  static void forget(wait_queue& at, lock_waiter& w) noexcept;

  base::atomic<word> state{0};
  lock_guarded<lock_waiter*> first = nullptr;
  lock_guarded<lock_waiter*> last = nullptr;
};

}  // namespace tine::detail
