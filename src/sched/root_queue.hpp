// The submitted roots of a pool that no worker has begun, in two classes. Any thread may use the queue; nothing here is
// on a hot path.
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
    filled.store(true, base::relaxed);
  }
  /// Takes the first root of a class; returns null if there is none.
  submission* take(root_priority how) noexcept {
    const std::lock_guard guard{lock_};
    submission* const s =
        (how == root_priority::urgent ? urgent_ : normal_).take_if([](const submission&) { return true; });
    filled.store(!urgent_.seems_empty() || !normal_.seems_empty(), base::relaxed);
    return s;
  }

  /// False: there is no root. relaxed, all uses: as for `submission_list::filled_`.
  base::atomic<bool> filled{false};

 private:
  friend struct debugger_layout;
  base::mutex lock_;
  submission_list urgent_, normal_;
};

}  // namespace tine::sched
