// Time that is the runtime's, in the middle of a program's own.
#pragma once

#include <tine/sched/hot_words.hpp>

namespace tine::sched {

/// While it lives, the thread is at work for the runtime: signals wait, and what it allocates is not counted as the program's.
/// The fiber that runs must not change meanwhile.
class scheduler_time {
 public:
  scheduler_time() noexcept : before_{hot::words().in_scheduler} { hot::words().in_scheduler = 1; }
  ~scheduler_time() { hot::words().in_scheduler = before_; }
  scheduler_time(const scheduler_time&) = delete;
  scheduler_time& operator=(const scheduler_time&) = delete;

 private:
  const int before_;
};

}  // namespace tine::sched
