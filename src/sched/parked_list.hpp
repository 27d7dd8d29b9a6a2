// The coroutines that have left a worker to wait for something outside of the pool, so that a debugger finds them. A
// coroutine is in the list by the submission with which it will return. Thread-safe.
#pragma once

#include "base/mutex.hpp"
#include "sched/submission_list.hpp"

#include <mutex>

namespace tine::sched {

class parked_list {
 public:
  /// The coroutine suspends. It must not be possible yet to resume it.
  void enter(submission& s) noexcept {
    const std::lock_guard guard{lock_};
    list_.put(s);
  }
  /// The submission is about to be submitted: it leaves this list, if it is in it. It is in no other list.
  void leave(submission& s) noexcept {
    if (s.in == nullptr) return;  // the thread that resumes the coroutine has synchronised with `enter`
    const std::lock_guard guard{lock_};
    list_.remove(s);
  }

 private:
  friend struct debugger_layout;
  base::mutex lock_;
  submission_list list_;
};

}  // namespace tine::sched
