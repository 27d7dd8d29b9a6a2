// Standard algorithms do not stop: their exceptions end the program, and `tine::stopped` would be one.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/sched/unstoppable.hpp>

#include <exception>
#include <new>
#include <optional>

namespace tine::detail::pstl {

/// While it lives, the forks and loops of the strand do not stop, as in `tine::unstoppable`. It costs two loads on a
/// strand that no scope can stop. A standard algorithm has one around the whole call. libstdc++'s bricks are noexcept,
/// so each chunk of them has another one: a chunk on another worker is stopped when its result is not needed, because
/// the result of the loop is final or a chunk before it has thrown std::bad_alloc, and the user's code in it may fork.
class stop_guard {
 public:
  stop_guard() noexcept {
    const sched::scope* const innermost = sched::current_scope();
    if (innermost != nullptr && innermost->stopping != nullptr) [[unlikely]]
      shield_.emplace();
  }
  stop_guard(const stop_guard&) = delete;
  stop_guard& operator=(const stop_guard&) = delete;

 private:
  std::optional<stop_shield> shield_;
};

/// Calls `f` by the rules of standard algorithms: nothing outside stops it, and an exception ends the program, except
/// for std::bad_alloc, which the caller of the algorithm gets.
template <class F>
decltype(auto) by_standard_rules(const F& f) {
  const stop_guard whole;
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    std::terminate();
  }
}

}  // namespace tine::detail::pstl
