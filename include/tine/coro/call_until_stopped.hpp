// Stops a task that another task calls: the awaited form of run_until_stopped.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/sched/stop.hpp>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace tine {
namespace detail {

/// A stop region that lives in a coroutine's frame, because the strand that ends it may differ from the one that began
/// it, and run on another fiber. So the region holds all records of whatever fiber its strand is on; older records are
/// made tasks first. The code inside lives on a stack of its own, through which thieves find the region.
class awaited_region {
 public:
  awaited_region() noexcept = default;
  awaited_region(const awaited_region&) = delete;
  awaited_region& operator=(const awaited_region&) = delete;

  /// Called when the frame is suspended, before the call in the region begins.
  TINE_API void begin(std::stop_token token) noexcept;
  /// Called when the strand continues with the frame. Returns true if the token has asked for a stop.
  TINE_API bool end() noexcept;

 private:
  struct request {
    awaited_region& r;
    void operator()() const noexcept {
      r.stopping_.store(true, base::relaxed);  // relaxed: the alert publishes it
      r.alert_->raise();
    }
  };

  base::atomic<bool> stopping_{false};
  sched::scope scope_{};
  segmented_stack* before_ = nullptr;
  std::optional<sched::alert> alert_;
  std::optional<std::stop_callback<request>> callback_;
};

/// The awaiter of a call inside a region.
template <class T, class Call>
class [[nodiscard]] stoppable_call {
 public:
  using tine_awaitable = void;
  using value = std::conditional_t<std::is_void_v<T>, void_result, T>;

  template <class... Given>
  explicit stoppable_call(std::stop_token token, Given&&... given)
      : token_{std::move(token)}, call_{std::in_place, std::forward<Given>(given)...} {}
  stoppable_call(const stoppable_call&) = delete;
  stoppable_call& operator=(const stoppable_call&) = delete;

  bool await_ready() const noexcept { return false; }
  template <promise_of_task Promise>
  bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
    region_.begin(std::move(token_));
    return call_.await_suspend(self);
  }
  std::optional<value> await_resume() {
    const bool was_asked = region_.end();
    try {
      return std::optional<value>{value_of([this]() -> T { return call_.await_resume(); })};
    } catch (const stopped&) {
      if (!was_asked) throw;
      return std::nullopt;
    }
  }

 private:
  std::stop_token token_;
  awaited_region region_;
  Call call_;
};

}  // namespace detail

/// `co_await tine::call_until_stopped(token, f, args...)` in a task: calls the task `f(args...)` as `tine::call` does,
/// until `token` is asked to stop. Returns an empty `std::optional` if the request stopped the task, and otherwise its
/// result (`tine::void_result` for void). Everything else is as for `tine::run_until_stopped`, but no fiber waits: the
/// task may run on other workers in between.
template <class F, class... Args>
auto call_until_stopped(std::stop_token token, F&& f, Args&&... args) {
  using T = typename detail::task_from<F, Args...>::type;
  static_assert(!std::is_reference_v<T>, "tine: there is no optional reference; return a pointer");
  using call = decltype(tine::call(std::forward<F>(f), std::forward<Args>(args)...));
  return detail::stoppable_call<T, call>{std::move(token), std::forward<F>(f), std::forward<Args>(args)...};
}

}  // namespace tine
