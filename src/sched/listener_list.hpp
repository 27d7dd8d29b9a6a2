// The listeners of a pool (tine/sched/worker_listener.hpp). Any thread may change the list; the workers read it.
#pragma once

#include <tine/detail/base/atomic.hpp>

#include <cstdint>
#include <shared_mutex>
#include <vector>

namespace tine {
class worker_listener;
}

namespace tine::sched {

/// The listeners that a worker has told of its beginning, and not of its end. Only its thread uses it.
struct told_listeners {
  unsigned version = 0;  ///< of the list, when the worker told them; 0: it has told none
  std::vector<std::uint64_t> numbers;
};

class listener_list {
 public:
  /// Grows with each new listener; 0: there was none yet.
  unsigned version() const noexcept { return version_.load(base::relaxed); }  // relaxed: those who see it take the lock

  void add(worker_listener& with);
  void remove(const worker_listener& with) noexcept;
  void tell_beginning(told_listeners& told, bool is_caller) noexcept;
  void tell_end(told_listeners& told, bool is_caller) noexcept;

 private:
  struct entry {
    std::uint64_t number;  ///< another listener may have the same address later
    worker_listener* who;
  };

  base::atomic<unsigned> version_{0};
  std::shared_mutex lock_;  // guards the other members; calls of listeners hold it shared
  std::vector<entry> all_;
  std::uint64_t last_number_ = 0;
};

}  // namespace tine::sched
