// submit: starts a root without waiting for it, and returns a handle that fetches its result. Any thread may submit.
#pragma once

#include <tine/detail/base/result.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/detail/sched/submitted_root.hpp>
#include <tine/sched/pool.hpp>

#include <bit>
#include <concepts>
#include <coroutine>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tine {
namespace sched {

/// A submitted root with a place for its outcome.
template <class R>
class root_with_result : public submitted_root {
 public:
  using submitted_root::submitted_root;
  ~root_with_result() override {
    if (has_ended() && !is_taken_) outcome_.drop(threw());
  }
  /// Call it once, after the end.
  R take() {
    is_taken_ = true;
    if constexpr (std::is_void_v<R>) {
      outcome_.take(threw());
    } else {
      return outcome_.take(threw());
    }
  }

 protected:
  /// Keeps the outcome of `f()`, and ends the root. `call` holds the function and its arguments. We destroy them before
  /// the end, so a thread that waits sees them gone.
  template <class F, class Call>
  void fill_and_end(F& f, std::optional<Call>& call) noexcept {
    const bool threw = outcome_.fill(f);
    call.reset();
    end(threw);
  }

 private:
  using stored = std::conditional_t<std::is_void_v<R>, void_result, R>;
  std::exception_ptr error() noexcept final { return outcome_.error(); }

  detail::outcome<stored> outcome_;
  bool is_taken_ = false;
};

/// A root that calls a function.
template <class R, class F, class... Args>
class function_root final : public root_with_result<R> {
 public:
  template <class... From>
  explicit function_root(From&&... from)
      : root_with_result<R>{kind}, call_{std::in_place, std::forward<From>(from)...} {}

 private:
  static bool run(task& t) noexcept { return static_cast<function_root&>(t).run_as_root(&call); }
  static bool call(task& t) noexcept {
    auto& self = static_cast<function_root&>(t);
    auto result = [&]() -> decltype(auto) {
      stop_before_begin();
      return std::apply(
          [](F& f, Args&... args) -> decltype(auto) { return run_here(std::move(f), std::move(args)...); },
          *self.call_);
    };
    self.fill_and_end(result, self.call_);
    return false;
  }
  static constexpr descriptor kind{&run, 0};

  std::optional<std::tuple<F, Args...>> call_;
};

/// The type of the root that runs an `F`; its front end chooses it.
template <class F, class... Args>
using root_for = typename way_to_run<std::invoke_result_t<F, Args...>>::template root<F, Args...>;

/// Submits a root that runs `f(args...)` in that pool, and returns its handle; `tine::submit` describes the errors.
template <class F, class... Args>
auto submit_root(pool_state& to, root_priority priority, F&& f, Args&&... args);

}  // namespace sched

/// Refers to a submitted root, and fetches its result. `R` is the result of the function: void, a reference, or a type
/// that can be moved. A handle that was default-constructed or moved from refers to no root; you may only call `valid`
/// on it, destroy it, or assign to it.
///
/// Thread-safety: one thread at a time may use a handle. It can be any thread, not only a worker.
template <class R>
class [[nodiscard]] handle {
 public:
  handle() noexcept = default;
  handle(handle&& other) noexcept : root_{std::exchange(other.root_, nullptr)} {}
  /// Gives up the root that the handle referred to, as the destructor does.
  handle& operator=(handle&& other) noexcept {
    if (this != &other) {
      leave();
      root_ = std::exchange(other.root_, nullptr);
    }
    return *this;
  }
  /// Asks the root to stop, waits until it has ended, and drops its result or exception. After `get` or `detach` there
  /// is nothing to do.
  ~handle() { leave(); }

  /// Returns true if the handle refers to a root.
  bool valid() const noexcept { return root_ != nullptr; }
  /// Returns true if the root has ended, so that `get` does not wait.
  bool has_ended() const noexcept { return root_->has_ended(); }

  /// Waits until the root has ended. A strand that waits leaves its worker to other work, and continues on the same
  /// thread unless `options::resume` says otherwise. Outside of every pool, and inside `tine::sequential`, the thread
  /// blocks.
  void wait() const noexcept { root_->wait(); }

  /// Waits until the root has ended, and returns its result or throws its exception; throws `tine::stopped` if the root
  /// was stopped. Afterwards the handle refers to no root.
  R get() {
    root_->wait();
    const used ended{std::exchange(root_, nullptr)};
    return ended.it->take();
  }

  /// Asks the root to stop, and returns at once. In everything that the root has forked, the next fork or chunk of a
  /// loop throws `tine::stopped`. A root that no worker has started doesn't start.
  void request_stop() const noexcept { root_->request_stop(); }

  /// Lets the root run to its end without a handle: this one refers to no root afterwards. If the root ends by an
  /// exception other than `tine::stopped`, no code could catch it, so the program ends with a message. The destructor
  /// of the pool waits for the root.
  void detach() noexcept {
    root_->detach();
    std::exchange(root_, nullptr)->release();
  }

  /// Calls `f()` when the root has ended: on the worker that ends it, or here if it has ended already. `f` must not
  /// throw, and should do little, e.g. post to an event loop, which then calls `get`. Allocates memory.
  template <std::invocable F>
  void when_ended(F f) const {
    struct caller : sched::end_listener {
      explicit caller(F&& g) : end_listener{&run}, what{std::move(g)} {}
      static void run(end_listener& l) noexcept {
        auto& self = static_cast<caller&>(l);
        self.what();
        delete &self;
      }
      F what;
    };
    auto* const l = new caller{std::move(f)};
    if (!root_->notify(*l)) caller::run(*l);
  }

  /// `co_await handle`, in a `tine::task` or in a coroutine of another library: suspends the coroutine until the root
  /// has ended, and returns as `get` does. The handle must stay where it is meanwhile. A coroutine of another library
  /// is resumed on the worker that ends the root. To continue elsewhere, use `when_ended`.
  bool await_ready() const noexcept { return root_->has_ended(); }
  bool await_suspend(std::coroutine_handle<> h) noexcept {
    return waits_with(h.address(), [](sched::end_listener& l) noexcept {
      std::coroutine_handle<>::from_address(static_cast<listener&>(l).who).resume();
    });
  }
  template <class Resumption>
    requires(sizeof(Resumption) == sizeof(void*) && std::is_trivially_copyable_v<Resumption> &&
             requires(const Resumption& r) { r.resume(); } && !std::convertible_to<Resumption, std::coroutine_handle<>>)
  void await_suspend(Resumption r) noexcept {
    const bool suspended = waits_with(std::bit_cast<void*>(r), [](sched::end_listener& l) noexcept {
      std::bit_cast<Resumption>(static_cast<listener&>(l).who).resume();
    });
    if (!suspended) r.resume();
  }
  R await_resume() { return get(); }

 private:
  template <class F, class... Args>
  friend auto sched::submit_root(sched::pool_state& to, root_priority priority, F&& f, Args&&... args);
  using root = sched::root_with_result<R>;

  struct listener : sched::end_listener {
    void* who = nullptr;
  };
  struct used {
    root* it;
    explicit used(root* r) noexcept : it{r} {}
    ~used() { it->release(); }
    used(const used&) = delete;
    used& operator=(const used&) = delete;
  };

  explicit handle(root& r) noexcept : root_{&r} {}

  bool waits_with(void* who, void (*resume)(sched::end_listener&) noexcept) noexcept {
    listener_.call = resume;
    listener_.who = who;
    return root_->notify(listener_);
  }
  void leave() noexcept {
    if (root_ == nullptr) return;
    root_->request_stop();
    root_->wait();
    std::exchange(root_, nullptr)->release();
  }

  root* root_ = nullptr;
  listener listener_{};
};

namespace sched {

template <class F, class... Args>
auto submit_root(pool_state& to, root_priority priority, F&& f, Args&&... args) {
  using root = root_for<std::decay_t<F>, std::decay_t<Args>...>;
  auto* const r = new root(std::forward<F>(f), std::forward<Args>(args)...);
  try {
    r->submit_to(to, priority);
  } catch (...) {
    r->drop();
    throw;
  }
  return handle<run_result<std::decay_t<F>, std::decay_t<Args>...>>{*r};
}

}  // namespace sched

template <class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto pool::submit(root_priority priority, F&& f, Args&&... args)
    -> handle<sched::run_result<std::decay_t<F>, std::decay_t<Args>...>> {
  return sched::submit_root(*state_, priority, std::forward<F>(f), std::forward<Args>(args)...);
}

/// Submits a root that runs `f(args...)`, and returns at once. The root runs in the pool that the calling thread works
/// for, or, outside of every pool, in the default pool. `f` and `args` are copied or moved as by std::thread, and
/// destroyed before the root has ended. `f` may be a coroutine that returns a `tine::task`; while suspended it occupies
/// neither a worker nor a native stack.
///
///     auto sum = tine::submit([&] { return tine::par_reduce(0, n, 0.0, value, std::plus<>{}); });
///     prepare();
///     use(sum.get());
///
/// The first root makes the pool start one more thread, because the callers of `run`, who bring the thread of one
/// worker, may be absent. Later roots cost an allocation and a lock. A root isn't part of the strand that submits it:
/// stop tokens, analyses and schedules of that strand don't reach it.
///
/// If it throws, nothing runs: std::bad_alloc, or what copying `f` and `args` throws. If the system gives the pool no
/// thread at all, the root runs on a thread that waits for it, or that is inside of `run`. The root starts with the
/// calling thread's rounding mode and traps; its floating-point flags are not handed back. Thread-safety: any thread
/// may call it.
template <class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto submit(F&& f, Args&&... args) {
  return sched::submit_root(sched::pool_of_this_thread(), root_priority::normal, std::forward<F>(f),
                            std::forward<Args>(args)...);
}

/// As `submit(f, args...)`, with the class of the root: an urgent root starts before other work.
template <class F, class... Args>
  requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
auto submit(root_priority priority, F&& f, Args&&... args) {
  return sched::submit_root(sched::pool_of_this_thread(), priority, std::forward<F>(f), std::forward<Args>(args)...);
}

}  // namespace tine
