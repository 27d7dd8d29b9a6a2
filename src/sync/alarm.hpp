// Alarms make parties give up whose time has passed. A helper thread rings them; it starts at the first one. Any thread
// may set an alarm.
#pragma once

#include <tine/detail/sync/moment.hpp>

namespace tine::detail {

class limited_waiter;

/// Makes a party give up at a moment, unless the alarm is destroyed before. If it rings meanwhile, its destructor waits
/// for the end of the call. All alarms of the process are one pairing heap (Fredman et al. 1986), under a lock.
class alarm {
 public:
  /// Returns true if there is a thread that rings alarms. Starts it.
  static bool can_ring() noexcept;

  alarm(limited_waiter& who, moment at) noexcept;
  ~alarm();
  alarm(const alarm&) = delete;
  alarm& operator=(const alarm&) = delete;

 private:
  friend class alarm_heap;

  limited_waiter& who_;
  const moment at_;
  bool is_set_;
  alarm* child_ = nullptr;     ///< its first child
  alarm* next_ = nullptr;      ///< the next child of its parent
  alarm* previous_ = nullptr;  ///< the child before; for the first one the parent
};

}  // namespace tine::detail
