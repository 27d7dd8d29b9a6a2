// `unstoppable` runs code to its end although its strand is to stop; `is_stopping` tests whether the strand is to stop.
// A strand calls them for itself.
#pragma once

#include <tine/detail/sched/scope.hpp>

#include <utility>

namespace tine {
namespace detail {

/// While it lives, hides the scopes around it from the strand. It begins and ends on one fiber.
class stop_shield {
 public:
  stop_shield() noexcept : scope_{sched::current_scope(), sched::hot::top(), nullptr} { sched::enter_scope(&scope_); }
  ~stop_shield() { sched::enter_scope(scope_.outer); }
  stop_shield(const stop_shield&) = delete;
  stop_shield& operator=(const stop_shield&) = delete;

 private:
  const sched::scope scope_;
};

}  // namespace detail

/// Runs `f()` and returns what it returns. Stop requests and exceptions from outside don't stop the forks and loops of
/// `f`; they do stop the code after the call. Use it for code that forks and must not throw `tine::stopped`: a noexcept
/// function, a destructor, a clean-up in an exception handler, or the second half of a change that must be whole.
template <class F>
auto unstoppable(F&& f) -> decltype(std::forward<F>(f)()) {
  if (sched::hot::self() == nullptr) return std::forward<F>(f)();  // there is no scope outside of every pool
  const detail::stop_shield inside;
  return std::forward<F>(f)();
}

/// Returns true if the next fork or loop of the calling strand would throw `tine::stopped`. For long code that doesn't
/// fork. A call takes a few nanoseconds.
inline bool is_stopping() noexcept { return sched::hot::is_past_limit(nullptr) && sched::must_stop(); }

}  // namespace tine
