// rw_mutex: a mutex for readers and writers, for sections of any length. Any thread may lock it.
#pragma once

#include <oneapi/tbb/tine/scoped_locks.hpp>
#include <oneapi/tbb/tine/sleeping_mutexes.hpp>
#include <oneapi/tbb/tine/split.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// One writer holds it, or any number of readers. A reader waits while a writer waits.
class rw_mutex : public sleeping_rw_mutex {
 public:
  using scoped_lock = scoped_rw_lock_of<rw_mutex>;
  static constexpr bool is_rw_mutex = true;
  static constexpr bool is_recursive_mutex = false;
  static constexpr bool is_fair_mutex = false;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::rw_mutex;
}
}  // namespace tbb
