// queuing_mutex: a mutex that its waiters get in the order of their arrival. Any thread may lock it.
#pragma once

#include <oneapi/tbb/tine/scoped_locks.hpp>
#include <oneapi/tbb/tine/sleeping_mutexes.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <tine/sync/timed_mutex.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// A mutex that is handed to the next waiter, as `tine::timed_mutex` is. It has scoped locks only.
class queuing_mutex : private sleeping_mutex<tine::timed_mutex> {
 public:
  using scoped_lock = scoped_lock_of<queuing_mutex>;
  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = true;

 private:
  friend scoped_lock;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::queuing_mutex;
}
}  // namespace tbb
