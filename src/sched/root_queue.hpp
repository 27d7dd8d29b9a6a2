// The submitted roots of a pool that no worker has begun, in two classes. Any thread may use the queue; nothing here is on a hot path.
#pragma once

#include "base/mutex.hpp"
#include "sched/submission_list.hpp"

#include <tine/detail/sched/submitted_root.hpp>

namespace tine::sched {

class root_queue {
 public:
  void put(submission& s, root_priority how) noexcept {
    const std::lock_guard guard{lock_};
    (how == root_priority::urgent ? urgent_ : normal_).put(s);
  }
  submission* take_urgent() noexcept { return take_from(urgent_); }
  submission* take_normal() noexcept { return take_from(normal_); }
  bool seems_empty() const noexcept { return urgent_.seems_empty() && normal_.seems_empty(); }

 private:
  submission* take_from(submission_list& l) noexcept {
    if (l.seems_empty()) return nullptr;
    const std::lock_guard guard{lock_};
    return l.take_if([](const submission&) { return true; });
  }

  base::mutex lock_;
  submission_list urgent_, normal_;
};

}  // namespace tine::sched
