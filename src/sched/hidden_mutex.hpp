// A mutex for parts of the runtime that run in the middle of the program's code. Any thread may lock it.
#pragma once

#include "base/mutex.hpp"
#include "sched/scheduler_time.hpp"

namespace tine::sched {

/// A mutex of the runtime: tools that follow the program's locks don't see it.
class hidden_mutex {
 public:
  void lock() {
    const scheduler_time here;
    mutex_.lock();
  }
  void unlock() {
    const scheduler_time here;
    mutex_.unlock();
  }

 private:
  base::mutex mutex_;
};

}  // namespace tine::sched
