// floating_point_scope: code that changes the rounding mode, flush-to-zero or traps for a while. It acts on the calling
// strand only.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/scope.hpp>

#include <utility>

namespace tine {
namespace sched {

/// Restores the control words of the floating-point environment at its end. Forks that are older than this scope, and
/// promoted while it lives, get the words that the strand had before it. It begins and ends on one fiber.
class fp_scope {
 public:
  TINE_API fp_scope() noexcept;
  TINE_API ~fp_scope();
  fp_scope(const fp_scope&) = delete;
  fp_scope& operator=(const fp_scope&) = delete;

 private:
  const base::atomic<bool> stops_{false};
  scope scope_;
  bool is_inside_;
};

}  // namespace sched

/// Runs `f()`, which may change the rounding mode, flush-to-zero, traps and the precision of x87, and restores them at
/// its end, also if `f` throws. Returns its result. Sticky flags stay raised. Forks inside have the changed words, on
/// any worker. Forks that are open around the call don't: their branches round as in serial code, even if they are
/// promoted meanwhile. Without this function they would get the changed words (docs/reference/thread-state.md).
///
///     tine::par_for(0, n, [&](int i) {
///       tine::floating_point_scope([&] {
///         std::fesetround(FE_UPWARD);
///         upper[i] = bound(i);
///       });
///     });
///
/// It costs some twenty nanoseconds. A coroutine must not co_await inside.
template <class F>
decltype(auto) floating_point_scope(F&& f) {
  const sched::fp_scope words;
  return std::forward<F>(f)();
}

}  // namespace tine
