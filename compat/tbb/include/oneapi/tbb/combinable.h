// combinable: a variable of which each thread has its own copy, to be combined at the end. Any thread may ask for its
// copy.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <type_traits>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

/// The part of enumerable_thread_specific that sums need.
template <class T>
class combinable {
 public:
  /// Each copy will be value-initialised.
  combinable() = default;
  /// Each copy will be `T(init())`.
  template <class Init>
    requires std::is_invocable_v<std::decay_t<Init>&>
  explicit combinable(Init init) : copies_{std::move(init)} {}

  T& local() { return copies_.local(); }
  T& local(bool& exists) { return copies_.local(exists); }
  /// Destroys all copies.
  void clear() { copies_.clear(); }
  /// Returns `f(... f(f(first, second), third) ...)` over the copies, or a new copy if there are none.
  template <class F>
  T combine(F f) {
    return copies_.combine(std::move(f));
  }
  /// Calls `f(copy)` for each copy.
  template <class F>
  void combine_each(F f) {
    copies_.combine_each(std::move(f));
  }

 private:
  enumerable_thread_specific<T> copies_;
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::combinable;
}
}  // namespace tbb
