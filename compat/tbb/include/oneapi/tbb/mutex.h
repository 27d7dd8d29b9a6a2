// mutex: for sections of any length. Any thread may lock it.
#pragma once

#include <oneapi/tbb/tine/scoped_locks.hpp>
#include <oneapi/tbb/tine/sleeping_mutexes.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <tine/sync/mutex.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// A mutex whose waiters come in no order.
class mutex : public sleeping_mutex<tine::mutex> {
 public:
  using scoped_lock = scoped_lock_of<mutex>;
  static constexpr bool is_rw_mutex = false;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::mutex;
}
}  // namespace tbb
