// Standard algorithms do not stop: their exceptions end the program, and `tine::stopped` would be one.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/sched/unstoppable.hpp>

#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace tine::detail::pstl {

/// While it lives, the forks and loops of the strand do not stop, as in `tine::unstoppable`. It costs two loads on a strand that no scope
/// can stop. A standard algorithm has one around the whole call, and one around the code of each chunk: a chunk on another worker is stopped
/// when the result of its loop is final, and the user's code in it may fork.
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

/// Calls `f` on the calling strand, whose forks and loops do not stop meanwhile.
template <class F>
TINE_ALWAYS_INLINE decltype(auto) guarded(const F& f) {
  const stop_guard inside;
  TINE_INLINE_CALLS return f();
}

/// Calls `f` under the exception rule of standard algorithms: an exception ends the program, except for std::bad_alloc, which the caller of
/// the algorithm gets.
template <class F>
decltype(auto) or_terminate(const F& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    std::terminate();
  }
}

/// Calls `f` with the arguments. If `f` cannot be called as const, the function calls a copy of it, so that several workers can use `f`.
template <class F, class... Args>
TINE_ALWAYS_INLINE decltype(auto) call(const F& f, Args&&... args) {
  if constexpr (std::is_invocable_v<const F&, Args...>) {
    TINE_INLINE_CALLS return f(std::forward<Args>(args)...);
  } else {
    F own = f;
    TINE_INLINE_CALLS return own(std::forward<Args>(args)...);
  }
}

}  // namespace tine::detail::pstl
