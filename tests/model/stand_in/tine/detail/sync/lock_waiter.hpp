// A party that waits in the queue of a lock, in place of the product's: Relacy checks for races what threads pass on to
// each other, and a waiter is overtaken twice.
#pragma once

#include "model/exploration.hpp"

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/lock_listener.hpp>

namespace tine {

class mutex;

namespace detail {

template <class T>
class lock_guarded {
 public:
  explicit(false) lock_guarded(T value = {}) : value_{value} {}
  lock_guarded(const lock_guarded&) = delete;
  lock_guarded& operator=(const lock_guarded& from) noexcept { return *this = from.value_.get(); }
  operator T() const noexcept { return value_.get(); }
  T operator->() const noexcept { return value_.get(); }
  auto& operator*() const noexcept { return *value_.get(); }
  lock_guarded& operator=(T value) noexcept {
    value_.set(value);
    return *this;
  }
  lock_guarded& operator++() noexcept { return *this = value_.get() + 1; }

 private:
  model::race_checked<T> value_;
};

inline constexpr unsigned most_overtakings = 2;

struct lock_waiter {
  lock_guarded<lock_waiter*> next;
  void (*wake)(lock_waiter& w) noexcept = nullptr;
  bool is_shared = false;
  bool may_give_up = false;
  lock_guarded<mutex*> locks_afterwards;
  lock_guarded<lock_waiter*> previous;
};

struct task_waiter : lock_waiter {  // no model has tasks that wait for locks
  template <class Resumption>
  void keep(Resumption, bool = false) noexcept {}
};

inline bool must_block() noexcept { return true; }

}  // namespace detail
}  // namespace tine
