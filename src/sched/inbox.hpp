// A worker's inbox: the work that other threads have submitted. Three lists under one lock; nothing here is on a hot
// path.
//
// *Pinned* submissions are for this worker alone. *Shared* submissions are for the first idle worker. *Affinity*
// submissions are for this worker, unless another worker has been idle for long. When the worker's thread leaves the
// pool, or works for another one, its pinned and affinity submissions become shared. Pinned submissions that are
// *bound* stay: they are fibers that have to continue on its thread (resume_policy::same_thread). Pinned submissions
// are taken in the order in which they came, bound or not, because a strict replay in recorded order relies on it.
#pragma once

#include "base/mutex.hpp"
#include "sched/submission_list.hpp"

namespace tine::sched {

class inbox {
 public:
  /// The workers that a submission is for.
  enum class claim : unsigned char { pinned, shared, affine };

  /// `open`: the worker's thread arrives. `close`: it leaves; returns the number of submissions that became shared.
  void open() noexcept {
    const std::lock_guard guard{lock_};
    present_ = true;
  }
  int close() noexcept {
    const std::lock_guard guard{lock_};
    present_ = false;
    int moved = 0;
    for (submission_list* from : {&pinned_, &affine_}) {
      while (submission* s = from->take_if([](const submission& e) { return !e.is_bound; })) {
        shared_.put(*s);
        ++moved;
      }
    }
    return moved;
  }

  /// Any thread. Puts `s` into the list for `as`, or, if the worker's thread is not there, into the shared list;
  /// `tell(as)` is called with the list chosen, before any worker can take `s`. Afterwards everything may be gone, even
  /// the pool, if the pool waited for nothing but `s`: so the thread that puts `s` touches nothing any more, and the
  /// worker that takes `s` waits for the lock.
  template <class Tell>
  void put(submission& s, claim as, Tell tell) noexcept {
    const std::lock_guard guard{lock_};
    if (s.is_bound) {
      as = claim::pinned;
    } else if (!present_) {
      as = claim::shared;
    }
    list_of(as).put(s);
    tell(as);
  }

  /// The worker itself: takes the next pinned submission.
  submission* take_pinned() noexcept { return has_pinned() ? take_from(pinned_, everything{}) : nullptr; }
  /// Any worker: takes the first shared, or affinity, submission that `by` accepts.
  submission* take_shared(const auto& by) noexcept { return has_shared() ? take_from(shared_, by) : nullptr; }
  submission* take_affine(const auto& by) noexcept { return has_affine() ? take_from(affine_, by) : nullptr; }

  /// Any thread: takes `s`, which was put into this inbox. Returns false if a worker has taken it.
  bool take(submission& s) noexcept {
    const std::lock_guard guard{lock_};
    if (s.in == nullptr) return false;
    s.in->remove(s);
    return true;
  }

  bool has_pinned() const noexcept { return !pinned_.seems_empty(); }
  bool has_shared() const noexcept { return !shared_.seems_empty(); }
  bool has_affine() const noexcept { return !affine_.seems_empty(); }
  /// Returns true if there is a shared or affinity submission that `by` accepts.
  template <class Worker>
  bool has_for(const Worker& by) noexcept {
    if (!has_shared() && !has_affine()) return false;
    const std::lock_guard guard{lock_};
    return shared_.has(by) || affine_.has(by);
  }

 private:
  struct everything {
    static bool accepts(const task*) noexcept { return true; }
  };

  submission_list& list_of(claim as) noexcept {
    switch (as) {
      case claim::pinned:
        return pinned_;
      case claim::affine:
        return affine_;
      case claim::shared:
        break;
    }
    return shared_;
  }

  template <class Worker>
  submission* take_from(submission_list& l, const Worker& by) noexcept {
    const std::lock_guard guard{lock_};
    return l.take(by);
  }

  friend struct debugger_layout;
  base::mutex lock_;
  bool present_ = false;
  submission_list pinned_, shared_, affine_;
};

}  // namespace tine::sched
