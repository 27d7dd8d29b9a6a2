// Stopping forks, loops and tasks by a std::stop_token. Any thread may ask the token to stop.
#pragma once

#include <tine/detail/base/result.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/sched/pool.hpp>

#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace tine {
namespace detail {

/// While it lives, everything that the strand forks stops when the token is asked to stop. It begins and ends on one
/// fiber.
class stop_region {
 public:
  explicit stop_region(std::stop_token token) noexcept
      : scope_{sched::current_scope(), sched::hot::top(), &stopping_}, callback_{std::move(token), request{*this}} {
    sched::enter_scope(&scope_);
  }
  ~stop_region() { sched::enter_scope(scope_.outer); }
  stop_region(const stop_region&) = delete;
  stop_region& operator=(const stop_region&) = delete;

  bool was_asked() const noexcept { return stopping_.load(base::relaxed); }  // relaxed: all that it stopped has ended

 private:
  struct request {
    stop_region& r;
    void operator()() const noexcept {
      // relaxed: a strand that looks at the flag has seen the alert, which is raised afterwards
      r.stopping_.store(true, base::relaxed);
      r.alert_.raise();
    }
  };

  base::atomic<bool> stopping_{false};
  const sched::scope scope_;
  sched::alert alert_;
  std::stop_callback<request> callback_;  // last, so that it is destroyed before the members that it uses
};

}  // namespace detail

/// Runs `f(args...)` like `tine::run`, until `token` is asked to stop. From then on every fork (`par`, `spork`,
/// `co_await tine::fork`) and every chunk of a loop throws `tine::stopped`: in everything that `f` has forked, on any
/// worker and in any pool. The exception propagates like any other. Stolen branches that have not started don't start.
/// All branches are joined, as always.
///
/// Code that doesn't fork isn't stopped, but may call `tine::is_stopping`. If `f` ends without another fork, or catches
/// the exception, its result is returned. A token that never stops costs nothing.
template <class F, class... Args>
  requires std::invocable<F, Args...>
auto run_stoppable(std::stop_token token, F&& f, Args&&... args) -> sched::run_result<F, Args...> {
  return run([&]() -> decltype(auto) {
    const detail::stop_region region{std::move(token)};
    return sched::run_here(std::forward<F>(f), std::forward<Args>(args)...);
  });
}

/// Runs `f(args...)` like `run_stoppable`, but reports a stop by its result: returns an empty `std::optional` if
/// `token` stopped `f`, and otherwise the result of `f` (`tine::void_result` for void). Throws all other exceptions,
/// and also `tine::stopped` if a region around this one stopped `f`, not `token`.
///
///     if (auto best = tine::run_until_stopped(token, search, root)) use(*best);
template <class F, class... Args>
  requires std::invocable<F, Args...>
auto run_until_stopped(std::stop_token token, F&& f, Args&&... args) {
  using result = sched::run_result<F, Args...>;
  static_assert(!std::is_reference_v<result>, "tine: there is no optional reference; return a pointer");
  using value = std::conditional_t<std::is_void_v<result>, void_result, result>;
  return run([&]() -> std::optional<value> {
    const detail::stop_region region{std::move(token)};
    try {
      return std::optional<value>{detail::value_of(
          [&]() -> decltype(auto) { return sched::run_here(std::forward<F>(f), std::forward<Args>(args)...); })};
    } catch (const stopped&) {
      if (!region.was_asked()) throw;
      return std::nullopt;
    }
  });
}

}  // namespace tine
