// A worker's inbox: what other threads have submitted. Two lists under one lock; nothing here is on a hot path.
//
// *Named* entries are for this worker alone, *open* ones for whoever is idle first. When the worker's thread leaves the
// pool, its named entries become open.
#pragma once

#include "base/mutex.hpp"

#include <tine/base/atomic.hpp>
#include <tine/sched/submission.hpp>

namespace tine::sched {

class inbox {
 public:
  /// The worker's thread arrives. And leaves: how many named entries became open.
  void open() noexcept {
    const std::lock_guard guard{lock_};
    present_ = true;
  }
  int close() noexcept {
    const std::lock_guard guard{lock_};
    present_ = false;
    int moved = 0;
    while (submission* s = named_.take()) {
      open_.put(*s);
      ++moved;
    }
    return moved;
  }

  /// Any thread. `tell(named)` is called before anybody can take `s`; whether it is named, as it was to be, depends on
  /// whether the worker is there. Afterwards everything may be gone, the pool too, if what was put was the last it
  /// waited for: so whoever puts it touches nothing any more, and whoever takes it waits for the lock.
  template <class Tell>
  void put(submission& s, bool named, Tell tell) noexcept {
    const std::lock_guard guard{lock_};
    named = named && present_;
    (named ? named_ : open_).put(s);
    tell(named);
  }

  submission* take_named() noexcept { return take_from(named_); }
  /// Any worker.
  submission* take_open() noexcept { return take_from(open_); }

  bool has_named() const noexcept { return !named_.seems_empty(); }
  bool has_open() const noexcept { return !open_.seems_empty(); }

 private:
  class list {
   public:
    void put(submission& s) noexcept {
      s.next = nullptr;
      if (first_ == nullptr) {
        first_ = &s;
      } else {
        last_->next = &s;
      }
      last_ = &s;
      // relaxed, here and below: a sleeper's fence and that of whoever wakes it order the two (src/sched/README.md)
      filled_.store(true, base::relaxed);
    }
    submission* take() noexcept {
      submission* s = first_;
      if (s == nullptr) return nullptr;
      first_ = s->next;
      if (first_ == nullptr) filled_.store(false, base::relaxed);
      return s;
    }
    bool seems_empty() const noexcept { return !filled_.load(base::relaxed); }

   private:
    submission* first_ = nullptr;
    submission* last_ = nullptr;
    base::atomic<bool> filled_{false};
  };

  submission* take_from(list& l) noexcept {
    if (l.seems_empty()) return nullptr;
    const std::lock_guard guard{lock_};
    return l.take();
  }

  base::mutex lock_;
  bool present_ = false;
  list named_, open_;
};

}  // namespace tine::sched
