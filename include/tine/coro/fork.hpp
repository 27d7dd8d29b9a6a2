// fork and call: how a task starts another task. The awaiters here are the fast path of every fork, so they only touch
// the strand's own words; src/coro/join.cpp has the slow paths.
#pragma once

#include <tine/coro/task.hpp>
#include <tine/detail/base/object_at.hpp>
#include <tine/detail/base/race_branch.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/coro/call_result.hpp>
#include <tine/detail/coro/held_parameter.hpp>
#include <tine/detail/coro/observed_fork.hpp>
#include <tine/detail/sched/fork_protocol.hpp>
#include <tine/detail/sched/scope.hpp>

#include <concepts>
#include <coroutine>
#include <new>
#include <tuple>
#include <utility>

namespace tine {
namespace detail {

template <class P>
concept promise_of_task = std::derived_from<P, frame>;

/// The place for the next child's result. fork() leaves it in a fiber-local word and await_suspend reads it there.
/// Nothing runs in between, because both are parts of one co_await expression.
template <class T>
result_slot<T>& result() noexcept {
  return *base::from_word<result_slot<T>>(fiber_state::get<result_slot_word>());
}

/// Starts a child on its parent's native stack. `parent_link` and `result_slot_word` must be set. (Moving an argument
/// may run user code in between; coroutines that it runs leave both words as they were.)
template <class F, class... Args>
TINE_ALWAYS_INLINE void start_child(F&& function, Args&&... args) noexcept {
  try {
    static_cast<void>(invoked(std::forward<F>(function), std::forward<Args>(args)...));
  } catch (...) {
    end_unstarted();
  }
}

/// The eventually of the result type, if there can be one.
template <class T>
struct eventually_for {
  using type = eventually<T>;
};
template <class T>
  requires(!std::is_object_v<T>)
struct eventually_for<T> {
  using type = struct no_eventually;
};
template <class T>
using eventually_of = typename eventually_for<T>::type;

/// The awaiter of a fork. await_suspend moves the arguments into native variables, writes the record, runs the child,
/// and pops or reclaims the record. The moves come first because a thief may continue with the parent's frame, and so
/// with this awaiter, as soon as the record is written.
template <class T, class Slot, class F, class... Kept>
class [[nodiscard]] fork_awaiter {
  static constexpr bool has_to_end = std::is_object_v<T> && !std::is_trivially_destructible_v<T>;
  static constexpr bool is_eventually = !has_to_end && std::is_same_v<Slot, eventually_of<T>>;

 public:
  using tine_awaitable = void;

  TINE_ALWAYS_INLINE explicit fork_awaiter(F function, Kept... kept) noexcept
      : going_{std::move(function), std::move(kept)...} {}
  fork_awaiter(const fork_awaiter&) = delete;
  fork_awaiter& operator=(const fork_awaiter&) = delete;

  TINE_ALWAYS_INLINE bool await_ready() const noexcept { return false; }

  template <promise_of_task Promise>
  TINE_ALWAYS_INLINE bool await_suspend(std::coroutine_handle<Promise> self) {
    std::tuple<F, Kept...> going{std::move(going_)};
    frame& parent = self.promise();
    self.promise().note_fork();
    if constexpr (has_to_end) eventually_access::belongs_to(result<T>(), parent);
    if constexpr (is_eventually) eventually_access::expect(&result<T>());
    sched::hot::block hot;
    if (fiber_state::is_too_deep(hot)) [[unlikely]] {
      going_.~tuple();
      ::new (static_cast<void*>(&going_)) std::tuple<F, Kept...>{std::move(going)};
      start_over(parent, this, &start_from_driver, made_by(parent));
      return true;
    }
    const sched::address at = sched::hot::top(hot);
    if (push(parent, at, hot)) [[unlikely]] {
      const fork_poll how = poll_at_fork(at);
      if (how == fork_poll::stop) {
        self.promise().note_join();
        if constexpr (has_to_end) eventually_access::empty(result<T>());
        if constexpr (is_eventually) eventually_access::empty_around(&result<T>());
        sched::throw_stopped();
      }
      if (how == fork_poll::instrumented) return start_observed(parent, at, going, std::index_sequence_for<Kept...>{});
      hot = {};
    }
    start(parent, hot, going, std::index_sequence_for<Kept...>{});
    if (!sched::fork_protocol::pop(at)) [[likely]]
      return false;
    return leave_after_fork(parent, at);
  }

  TINE_ALWAYS_INLINE void await_resume() const noexcept {}

 private:
  static link::word link_of(frame& parent) noexcept { return base::to_word(&parent); }
  static link::word made_by(frame& parent) noexcept {
    return is_eventually ? link_of(parent) | link::into_eventually : link_of(parent);
  }

  /// Returns true if the fork must take its slow path.
  TINE_ALWAYS_INLINE static bool push(frame& parent, sched::address at, sched::hot::block hot) noexcept {
    sched::write_continuation(at, parent);
    return sched::fork_protocol::push(at, at + sched::continuation_bytes, hot);
  }

  template <std::size_t... I>
  TINE_ALWAYS_INLINE static void start(frame& parent, sched::hot::block hot, std::tuple<F, Kept...>& going,
                                       std::index_sequence<I...>) noexcept {
    fiber_state::set<parent_link>(made_by(parent), hot);
    start_child(std::get<0>(going).pass(), std::get<I + 1>(going).pass()...);
  }

  /// As `start`, on an instrumented strand. It takes the arguments by value: if it took references, the fast path would
  /// have to keep its arguments in memory, too.
  template <std::size_t... I>
  TINE_ALWAYS_INLINE static bool start_observed(frame& parent, sched::address at, std::tuple<F, Kept...>& going,
                                                std::index_sequence<I...>) noexcept {
    return observed_start(parent, at, std::move(std::get<0>(going)), std::move(std::get<I + 1>(going))...);
  }
  /// This function's return address is the fork's place in the program.
  TINE_COLD static bool observed_start(frame& parent, sched::address at, F function, Kept... kept) noexcept {
    begin_observed_fork(parent, at, base::to_word(__builtin_return_address(0)));
#if TINE_RACE
    tine_race_enter_branch(__builtin_frame_address(0));
    tine_race_leave_branch();  // the arguments are passed before the parent continues: see tine_race_begin_child
#endif
    fiber_state::set<parent_link>(made_by(parent));
    start_child(function.pass(), kept.pass()...);
    return leave_after_observed_fork(parent, at);
  }

  static void start_from_driver(void* awaiter, frame& parent, sched::site where) noexcept {
    std::tuple<F, Kept...> going{std::move(static_cast<fork_awaiter*>(awaiter)->going_)};
    const sched::hot::block hot;
    const sched::address at = sched::hot::top(hot);
    if (push(parent, at, hot) && sched::poll() == sched::polled::instrumented) {
      begin_observed_fork(parent, at, where);
#if TINE_RACE
      tine_race_enter_branch(__builtin_frame_address(0));
      tine_race_leave_branch();
#endif
    }
    start(parent, {}, going, std::index_sequence_for<Kept...>{});
  }

  [[no_unique_address]] std::tuple<F, Kept...> going_;
};

/// The awaiter of a call. It is like a fork's but writes no record, and it outlives the child, so we move little.
/// `Held`: the types that keep the callable and the arguments.
template <class T, class... Held>
class [[nodiscard]] call_awaiter {
 public:
  using tine_awaitable = void;

  template <class... Given>
  TINE_ALWAYS_INLINE explicit call_awaiter(std::in_place_t, Given&&... given)
      : held_{Held{std::forward<Given>(given)}...} {}
  call_awaiter(const call_awaiter&) = delete;
  call_awaiter& operator=(const call_awaiter&) = delete;

  TINE_ALWAYS_INLINE bool await_ready() const noexcept { return false; }

  template <promise_of_task Promise>
  TINE_ALWAYS_INLINE bool await_suspend(std::coroutine_handle<Promise> self) noexcept {
    return suspend(self.promise(), std::index_sequence_for<Held...>{});
  }

  TINE_ALWAYS_INLINE T await_resume() {
    if (fiber_state::has_thrown()) [[unlikely]]
      rethrow_call(result_);
    return result_.take();
  }

 private:
  static link::word made_by(frame& parent) noexcept { return base::to_word(&parent) | link::called; }

  template <std::size_t... I>
  TINE_ALWAYS_INLINE bool suspend(frame& parent, std::index_sequence<I...>) noexcept {
    const sched::hot::block hot;
    if (fiber_state::is_too_deep(hot)) [[unlikely]] {
      start_over(parent, this, &start_from_driver, made_by(parent));
      return true;
    }
    start(parent, hot, std::get<I>(held_).near()...);
    return fiber_state::is_unwinding();
  }
  /// `hot`: the block from before the arguments were moved to `near`.
  template <class... Near>
  TINE_ALWAYS_INLINE void start(frame& parent, sched::hot::block hot, Near... near) noexcept {
    // moving them ran user code, so the strand may be on another thread
    if constexpr (!(std::is_trivially_move_constructible_v<Near> && ...)) hot = {};
    fiber_state::set<result_slot_word>(result_.where(), hot);
    fiber_state::set<parent_link>(made_by(parent), hot);
    start_child(near.pass()...);
  }
  static void start_from_driver(void* awaiter, frame& parent, sched::site) noexcept {
    auto& self = *static_cast<call_awaiter*>(awaiter);
    std::apply([&](auto&... held) { self.start(parent, {}, held.near()...); }, self.held_);
  }

  call_result<T> result_;
  [[no_unique_address]] std::tuple<Held...> held_;
};

/// The result type of the task that this callable returns for these arguments. If it does not return a task, the error
/// message says so.
template <class F, class... Args>
struct task_from {
  static_assert(std::is_invocable_v<F, Args...>, "tine: the callable cannot be called with these arguments");
  using returned = std::invoke_result_t<F, Args...>;
  static_assert(is_task<returned>, "tine: the callable must be a coroutine that returns a tine::task");
  using type = typename returned::result_type;
};

template <class F, class Indices, class... Args>
struct forked_from;
template <class F, std::size_t... I, class... Args>
struct forked_from<F, std::index_sequence<I...>, Args...>
    : task_from<F, typename handed_over<typename parameter<typename parameters_of<std::decay_t<F>>::type, I>::type,
                                        Args>::type...> {};

/// The result type of a fork.
template <class F, class... Args>
using result_from = typename forked_from<F, std::index_sequence_for<Args...>, Args...>::type;

template <class F, std::size_t I, class A>
using keep_of = keeping<typename parameter<typename parameters_of<std::decay_t<F>>::type, I>::type, A>;

/// `Slot`: the type of the object that the program passed for the result; void without one.
template <class T, class Slot, class F, class... Args, std::size_t... I>
TINE_ALWAYS_INLINE auto make_fork(result_slot<T>* result, F&& f, std::index_sequence<I...>, Args&&... args) {
  fiber_state::set<result_slot_word>(result);
  return fork_awaiter<T, Slot, typename keeping_callable<F>::type, typename keep_of<F, I, Args>::type...>{
      keeping_callable<F>::keep(std::forward<F>(f)), keep_of<F, I, Args>::keep(std::forward<Args>(args))...};
}

template <class T, class Slot, auto Function, class... Args, std::size_t... I>
TINE_ALWAYS_INLINE auto make_known_fork(result_slot<T>* result, std::index_sequence<I...>, Args&&... args) {
  using F = decltype(Function);
  fiber_state::set<result_slot_word>(result);
  return fork_awaiter<T, Slot, known_function<Function>, typename keep_of<F, I, Args>::type...>{
      known_function<Function>{}, keep_of<F, I, Args>::keep(std::forward<Args>(args))...};
}

/// `Told`: the type from which we learn the parameters of `F`.
template <class T, class Told, class F, class... Args, std::size_t... I>
TINE_ALWAYS_INLINE auto make_call(F&& f, std::index_sequence<I...>, Args&&... args) {
  static_assert(
      fits_into_frame<T>(),
      "tine: the frame of a task is aligned to at most 64 bytes: fork this task, with a place for its result in a tine::scratch array");
  return call_awaiter<T, held_callable<F>, held_of<Told, I, Args>...>{std::in_place, std::forward<F>(f),
                                                                      std::forward<Args>(args)...};
}

template <class F, class... Args>
concept gives_nothing = std::is_invocable_v<F, Args...> && std::same_as<std::invoke_result_t<F, Args...>, task<void>>;

template <class Slot, class T>
concept result_slot_for =
    std::same_as<Slot, result_slot<T>> || (std::is_object_v<T> && std::same_as<Slot, eventually<T>>);

}  // namespace detail

/// `co_await tine::fork(&result, f, args...)` in a task: runs the task `f(args...)` at once, and lets an idle worker
/// take the rest of the calling task meanwhile. You find the result in `result` after the next `co_await tine::join`.
/// An exception that `f` throws is thrown by that join.
///
/// `result` is a `T` if `T` is trivially destructible, a `T*` for a `task<T&>`, and otherwise a `tine::eventually<T>`.
/// It must live until the join, and so must everything that a parameter of `f` refers to. Other arguments are moved.
/// `f` is a function, a member function (its object is the first argument), or a callable object. A callable object
/// with state must be a variable that lives until the join.
template <class Slot, class F, class... Args>
  requires(!std::is_function_v<Slot>)
TINE_ALWAYS_INLINE auto fork(Slot* result, F&& f, Args&&... args) {
  using T = detail::result_from<F, Args...>;
  static_assert(
      detail::result_slot_for<Slot, T>,
      "tine: the result of fork goes into a variable of the task's own result type, into a pointer if that is a reference, and into a tine::eventually of it if it has to be destroyed");
  return detail::make_fork<T, Slot>(detail::eventually_access::result_slot_in<T>(result), std::forward<F>(f),
                                    std::index_sequence_for<Args...>{}, std::forward<Args>(args)...);
}

/// As `fork(&result, f, args...)`, for a function that is known at compile time: `co_await tine::fork<f>(&result,
/// args...)`. This is the fastest form.
template <auto Function, class Slot, class... Args>
  requires(!detail::gives_nothing<decltype(Function), Slot*, Args...>)
TINE_ALWAYS_INLINE auto fork(Slot* result, Args&&... args) {
  using T = detail::result_from<decltype(Function), Args...>;
  static_assert(
      detail::result_slot_for<Slot, T>,
      "tine: the result of fork goes into a variable of the task's own result type, into a pointer if that is a reference, and into a tine::eventually of it if it has to be destroyed");
  return detail::make_known_fork<T, Slot, Function>(detail::eventually_access::result_slot_in<T>(result),
                                                    std::index_sequence_for<Args...>{}, std::forward<Args>(args)...);
}

/// As `fork(&result, f, args...)`, for a task without a result.
template <class F, class... Args>
  requires(!std::is_pointer_v<std::decay_t<F>> || std::is_function_v<std::remove_pointer_t<std::decay_t<F>>>)
TINE_ALWAYS_INLINE auto fork(F&& f, Args&&... args) {
  using T = detail::result_from<F, Args...>;
  static_assert(std::is_void_v<T>, "tine: this task has a result: give fork the address for it, fork(&result, f, ...)");
  return detail::make_fork<T, void>(nullptr, std::forward<F>(f), std::index_sequence_for<Args...>{},
                                    std::forward<Args>(args)...);
}

template <auto Function, class... Args>
  requires detail::gives_nothing<decltype(Function), Args...>
TINE_ALWAYS_INLINE auto fork(Args&&... args) {
  return detail::make_known_fork<void, void, Function>(nullptr, std::index_sequence_for<Args...>{},
                                                       std::forward<Args>(args)...);
}

/// `co_await tine::call(f, args...)` in a task: runs the task `f(args...)` to its end, and returns its result or throws
/// its exception. The caller itself can't be stolen meanwhile; what `f` forks can. Arguments are passed on as they are.
template <class F, class... Args>
TINE_ALWAYS_INLINE auto call(F&& f, Args&&... args) {
  using T = typename detail::task_from<F, Args...>::type;
  return detail::make_call<T, F>(std::forward<F>(f), std::index_sequence_for<Args...>{}, std::forward<Args>(args)...);
}

template <auto Function, class... Args>
TINE_ALWAYS_INLINE auto call(Args&&... args) {
  using T = typename detail::task_from<decltype(Function), Args...>::type;
  return detail::make_call<T, decltype(Function)>(detail::known_callable<Function>{},
                                                  std::index_sequence_for<Args...>{}, std::forward<Args>(args)...);
}

}  // namespace tine
