// queuing_rw_mutex: a mutex for readers and writers, which get it in the order of their arrival. Any thread may lock
// it.
#pragma once

#include <oneapi/tbb/tine/scoped_locks.hpp>
#include <oneapi/tbb/tine/sleeping_mutexes.hpp>
#include <oneapi/tbb/tine/split.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// As rw_mutex, with scoped locks only. Readers that wait next to each other get it together.
class queuing_rw_mutex : private sleeping_rw_mutex {
 public:
  using scoped_lock = scoped_rw_lock_of<queuing_rw_mutex>;
  static constexpr bool is_rw_mutex = true;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = true;

 private:
  friend scoped_lock;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::queuing_rw_mutex;
}
}  // namespace tbb
