// A list of submissions, in the order in which they came. The owner of the list has the lock.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/submission.hpp>

namespace tine::sched {

struct debugger_layout;

/// All functions but `seems_empty` need the lock of the list's owner.
class submission_list {
 public:
  void put(submission& s) noexcept {
    s.next = nullptr;
    s.before = last_;
    s.in = this;
    if (last_ == nullptr) {
      first_ = &s;
    } else {
      last_->next = &s;
    }
    last_ = &s;
    // relaxed, here and below: the fence of a sleeper and the fence of its waker order store and load
    // (src/sched/README.md)
    filled_.store(true, base::relaxed);
  }
  void remove(submission& s) noexcept {
    submission* const before = s.before;
    submission* const after = s.next;
    if (before == nullptr) {
      first_ = after;
    } else {
      before->next = after;
    }
    if (after == nullptr) {
      last_ = before;
    } else {
      after->before = before;
    }
    s.in = nullptr;
    if (first_ == nullptr) filled_.store(false, base::relaxed);
  }
  template <class Worker>
  submission* take(const Worker& by) noexcept {
    return take_if([&by](const submission& s) { return by.accepts(s.what); });
  }
  /// Takes the first submission for which `wanted` returns true.
  template <class Wanted>
  submission* take_if(Wanted wanted) noexcept {
    for (submission* s = first_; s != nullptr; s = s->next) {
      if (!wanted(*s)) continue;
      remove(*s);
      return s;
    }
    return nullptr;
  }
  template <class Worker>
  bool has(const Worker& by) const noexcept {
    const submission* s = first_;
    while (s != nullptr && !by.accepts(s->what)) s = s->next;
    return s != nullptr;
  }
  bool seems_empty() const noexcept { return !filled_.load(base::relaxed); }

 private:
  friend struct debugger_layout;
  submission* first_ = nullptr;
  submission* last_ = nullptr;
  base::atomic<bool> filled_{false};
};

}  // namespace tine::sched
