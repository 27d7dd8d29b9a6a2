// Alarms of waits with a time limit, in place of the product's: a model thread rings them all once. A party that comes
// later is too late at once.
#pragma once

#include "base/mutex.hpp"

#include <tine/detail/sync/moment.hpp>

namespace tine::detail {

class limited_waiter;
void ring(limited_waiter& who) noexcept;

class alarm {
 public:
  /// The alarms of a suite.
  struct clock {
    base::mutex lock;
    alarm* set = nullptr;
    bool rang = false;
  };
  inline static clock* time = nullptr;

  static bool can_ring() noexcept { return true; }
  static void ring_all() noexcept {
    const std::lock_guard hold{time->lock};
    time->rang = true;
    for (alarm* a = time->set; a != nullptr; a = a->next_) ring(a->who_);
  }

  alarm(limited_waiter& who, moment) noexcept : who_{who} {
    const std::lock_guard hold{time->lock};
    next_ = time->set;
    time->set = this;
    if (time->rang) ring(who_);
  }
  ~alarm() {
    const std::lock_guard hold{time->lock};
    alarm** at = &time->set;
    while (*at != this) at = &(*at)->next_;
    *at = next_;
  }

 private:
  limited_waiter& who_;
  alarm* next_;
};

}  // namespace tine::detail
