// Stopping tasks from outside.
#pragma once

#include <tine/coro/run.hpp>
#include <tine/sched/alert.hpp>

#include <exception>
#include <stop_token>
#include <utility>

namespace tine {

/// What a fork throws when its region is to stop.
class stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "tine: stopped by a std::stop_token"; }
};

namespace detail {

/// The forks of the tasks that run in here stop with the token. Made and ended on one fiber.
class stop_region {
 public:
  explicit stop_region(std::stop_token token) noexcept;
  ~stop_region();
  stop_region(const stop_region&) = delete;
  stop_region& operator=(const stop_region&) = delete;

  /// Whether this region or one around it is to stop.
  bool is_stopping() const noexcept;

 private:
  struct raise_alert {
    sched::alert& a;
    void operator()() const noexcept { a.raise(); }
  };

  const std::stop_token token_;
  stop_region* const around_;
  segmented_stack* const before_;
  sched::alert alert_;
  std::stop_callback<raise_alert> callback_;
};

}  // namespace detail

/// Runs `f(args...)` like `tine::run`, until `token` is asked to stop: from then on every `co_await tine::fork` in it, in
/// whatever task and on whatever thread, throws `tine::stopped`, which goes up like any other exception. All tasks are
/// joined, as always. Code that does not fork is not stopped; if `f` ends without another fork, or catches the exception,
/// its result is returned. A token that never stops costs nothing.
template <class F, class... Args>
  requires std::invocable<F, Args...>
auto run_stoppable(std::stop_token token, F&& f, Args&&... args) -> sched::run_result<F, Args...> {
  return run([&]() -> decltype(auto) {
    const detail::stop_region region{std::move(token)};
    return sched::run_here(std::forward<F>(f), std::forward<Args>(args)...);
  });
}

}  // namespace tine
