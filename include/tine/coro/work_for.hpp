// Lends the user's own threads to a pool, as workers.
#pragma once

#include <tine/coro/resumption.hpp>
#include <tine/detail/coro/way_to_run.hpp>
#include <tine/sched/pool.hpp>

#include <optional>
#include <stop_token>
#include <utility>

namespace tine {
namespace detail {

/// Waits for a stop request. The task and the request meet in one word; the second of the two to arrive resumes the
/// task.
class stop_awaiter {
 public:
  explicit stop_awaiter(std::stop_token token) : callback_{std::move(token), on_stop{*this}} {}

  bool await_ready() const noexcept { return first_of_both_.is_finished(); }
  void await_suspend(resumption r) noexcept {
    task_.emplace(r);
    if (!first_of_both_.await(resumption_waits)) r.resume();
  }
  void await_resume() const noexcept {}

 private:
  static constexpr sched::completion::word resumption_waits = 2;

  struct on_stop {
    stop_awaiter& self;
    void operator()() const noexcept {
      if (self.first_of_both_.finish(0) != 0) self.task_->resume();
    }
  };

  sched::completion first_of_both_;
  std::optional<resumption> task_;
  std::stop_callback<on_stop> callback_;
};

struct pool_access {
  template <class F, class... Args>
  static void help(pool& p, F&& f, Args&&... args) {
    p.enter(true, std::forward<F>(f), std::forward<Args>(args)...);
  }
};

}  // namespace detail

/// `co_await tine::until_stop(token)` in a task: waits until `token` is asked to stop.
inline detail::stop_awaiter until_stop(std::stop_token token) { return detail::stop_awaiter{std::move(token)}; }

/// Makes the calling thread work for `p`, for all roots of the pool, until `token` is asked to stop and the thread's
/// last piece of work is done. A pool with `.workers = 1` has no threads of its own, so with `work_for` a program
/// decides where all of its tasks run:
///
///     tine::pool p{{.workers = 1, .pin = tine::affinity::none}};
///     std::jthread mine{[&](std::stop_token stop) { tine::work_for(p, stop); }};
///     p.run(fib, 30);  // on this thread and on `mine`
///
/// See docs/reference/schedulers.md.
inline void work_for(pool& p, std::stop_token token) {
  constexpr auto wait = [](std::stop_token t) -> task<> { co_await until_stop(std::move(t)); };
  detail::pool_access::help(p, wait, std::move(token));
}

}  // namespace tine
