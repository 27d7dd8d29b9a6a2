// How tine::run and tine::pool::run get from plain code into a task.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/call_result.hpp>
#include <tine/detail/coro/driver.hpp>
#include <tine/sched/pool.hpp>
#include <tine/sched/submit.hpp>

#include <exception>
#include <optional>
#include <utility>

namespace tine::detail {

template <class T, class F, class... Args>
class coroutine_root;

}  // namespace tine::detail

/// Runs a task for plain code, on a worker that waits for it. If the task still runs elsewhere when this worker has
/// nothing of it left to do, we suspend the fiber of the plain code.
template <class T>
struct tine::sched::way_to_run<tine::task<T>> {
  using result = T;
  /// The submitted root of a coroutine.
  template <class F, class... Args>
  using root = detail::coroutine_root<T, F, Args...>;

  template <class F, class... Args>
  static T run(F&& f, Args&&... args) {
    return run_held(std::index_sequence_for<Args...>{}, std::forward<F>(f), std::forward<Args>(args)...);
  }

 private:
  template <class F, class... Args, std::size_t... I>
  static T run_held(std::index_sequence<I...>, F&& f, Args&&... args) {
    std::tuple<detail::held_of<F, I, Args>...> held{detail::held_of<F, I, Args>{std::forward<Args>(args)}...};
    detail::call_result<T> result;
    detail::awaited_root parent;
    detail::fiber_state::set<detail::result_slot_word>(result.where());
    detail::fiber_state::set<detail::parent_link>(base::to_word<detail::frame>(&parent) | detail::link::called);
    detail::start_child(std::forward<F>(f), std::get<I>(held).pass()...);
    parent.finish();
    if (parent.threw) std::rethrow_exception(result.take_error());
    return result.take();
  }
};

namespace tine::detail {

/// A submitted root that runs a coroutine. It does not hold a fiber: while the coroutine waits for something outside,
/// only its frames are left of it.
template <class T, class F, class... Args>
class coroutine_root final : public sched::root_with_result<T>, private submitted_coroutine {
 public:
  template <class... From>
  explicit coroutine_root(From&&... from)
      : sched::root_with_result<T>{kind},
        submitted_coroutine{this->stopping},
        call_{std::in_place, std::forward<From>(from)...} {}

 private:
  static bool run(sched::task& t) noexcept { return static_cast<coroutine_root&>(t).run_as_root(&call); }
  static bool call(sched::task& t) noexcept {
    auto& self = static_cast<coroutine_root&>(t);
    // an analysis follows the root on its worker from start to end; and a root that stops at once has no coroutine
    if (sched::is_instrumented() || sched::must_stop()) {
      auto result = [&]() -> decltype(auto) {
        sched::stop_before_begin();
        return std::apply(
            [](F& f, Args&... args) -> decltype(auto) { return sched::run_here(std::move(f), std::move(args)...); },
            *self.call_);
      };
      self.fill_and_end(result, self.call_);
    } else {
      self.keep();
      begin_of_coroutine begin{self};
      fiber_state::set<result_slot_word>(self.result_.where());
      fiber_state::set<parent_link>(base::to_word<frame>(&self) | link::called);
      std::apply([](F& f, Args&... args) { start_child(std::move(f), std::move(args)...); }, *self.call_);
      begin.finish();
    }
    return false;
  }

  void ended(bool threw) noexcept override {
    auto take = [&]() -> T {
      if (threw) std::rethrow_exception(result_.take_error());
      return result_.take();
    };
    this->fill_and_end(take, call_);
    this->release();
  }

  static constexpr sched::descriptor kind{&run, 0};

  std::optional<std::tuple<F, Args...>> call_;
  call_result<T> result_;
};

}  // namespace tine::detail
