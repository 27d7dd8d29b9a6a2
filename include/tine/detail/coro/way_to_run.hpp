// The way from plain code into a task: tine::run and tine::pool::run use it to run a task.
#pragma once

#include <tine/coro/fork.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/coro/call_result.hpp>
#include <tine/detail/coro/driver.hpp>
#include <tine/sched/pool.hpp>

#include <exception>
#include <utility>

/// Runs a task for plain code on a worker that waits for the task. If the task still runs elsewhere when this worker has
/// nothing of it left to do, the code's fiber is suspended.
template <class T>
struct tine::sched::way_to_run<tine::task<T>> {
  using result = T;

  template <class F, class... Args>
  static T run(F&& f, Args&&... args) {
    return run_held(std::index_sequence_for<Args...>{}, std::forward<F>(f), std::forward<Args>(args)...);
  }

 private:
  template <class F, class... Args, std::size_t... I>
  static T run_held(std::index_sequence<I...>, F&& f, Args&&... args) {
    std::tuple<detail::held_of<F, I, Args>...> held{detail::held_of<F, I, Args>{std::forward<Args>(args)}...};
    detail::call_result<T> result;
    detail::root parent;
    detail::fiber_state::set<detail::result_slot_word>(result.where());
    detail::start_child(base::to_word<detail::frame>(&parent) | detail::link::called, std::forward<F>(f),
                        std::get<I>(held).pass()...);
    parent.finish();
    if (parent.threw) std::rethrow_exception(result.take_error());
    return result.take();
  }
};
