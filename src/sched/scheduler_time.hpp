// Marks time in which a thread works for the runtime, in the middle of the program's code. The thread itself uses it.
#pragma once

#include <tine/detail/sched/hot_words.hpp>

namespace tine::sched {

/// While it lives, the thread works for the runtime: the signal handler doesn't promote, and memory that the thread
/// allocates doesn't count as the program's. The running fiber must not change meanwhile.
class scheduler_time {
 public:
  // not 1, which it is outside of every pool
  scheduler_time() noexcept : before_{hot::words().in_scheduler} { hot::words().in_scheduler = 2; }
  ~scheduler_time() { hot::words().in_scheduler = before_; }
  scheduler_time(const scheduler_time&) = delete;
  scheduler_time& operator=(const scheduler_time&) = delete;

 private:
  const int before_;
};

}  // namespace tine::sched
