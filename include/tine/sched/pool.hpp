// A pool of workers, and the ways into it: `pool::run`, `pool::submit`, and `tine::run` for the default pool. Any
// thread may use them.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/sched/hot_words.hpp>
#include <tine/detail/sched/task.hpp>
#include <tine/sched/counters.hpp>
#include <tine/sched/options.hpp>
#include <tine/sched/root_priority.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace tine {

class pool;
class worker_listener;
template <class R>
class handle;

namespace detail {
struct pool_access;
}

namespace sched {

class event_source;
class worker;
struct pool_state;

/// Runs `root` in the pool: the calling thread is a worker until `root` has finished. If `helps_all` is true, the
/// thread takes work of every root meanwhile, whatever the options say.
TINE_API void run_root(pool_state& pool, task& root, bool helps_all = false);

/// Returns true if the calling thread already is a worker of that pool.
TINE_API bool works_for(const pool_state& pool) noexcept;

/// Returns true if both are workers of the same pool.
TINE_API bool are_together(const worker& a, const worker& b) noexcept;

/// The root task that runs a function in a pool. It lives on the stack of its caller, who waits for it.
template <class F>
class root_task : public task {
 public:
  explicit root_task(F& f) noexcept : task{&kind, completion{}, 0}, function_{f} {}
  /// Returns the result of the function, or throws its exception. Call it once, after the root has ended.
  decltype(auto) take() { return outcome_.take((done.flags() & completion::threw) != 0); }

 private:
  static bool run(task& t) noexcept {
    auto& self = static_cast<root_task&>(t);
    return self.outcome_.fill(self.function_);
  }
  static constexpr descriptor kind{&run, 0};

  F& function_;
  detail::outcome<detail::result_of<F&>> outcome_;
};

/// Runs `root` in the default pool. The calling thread must not be a worker of any pool.
TINE_API void run_root_in_default_pool(task& root);

/// Returns the pool that the calling thread works for, or else the default pool.
TINE_API pool_state& pool_of_this_thread();

TINE_API void request_looks(pool& of) noexcept;  // tine/sched/event_source.hpp

/// Adds a listener (`tine::listen`).
void attach_listener(pool& to, worker_listener& with);
/// Takes it out again (`tine::stop_listening`).
void detach_listener(pool& to, const worker_listener& with) noexcept;

/// Calls `f` in the default pool; for front ends outside of every pool. Users call `tine::run`, which can do more.
/// Front ends don't, because that would be more code at every fork of a program.
template <class F>
auto call_in_default_pool(F& f) -> std::invoke_result_t<F&> {
  root_task<F> root{f};
  run_root_in_default_pool(root);
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    root.take();
  } else {
    return root.take();
  }
}

template <class R, class F, class... Args>
class function_root;

/// How a worker runs a function that returns an `R`: it calls the function. A front end whose functions need more than
/// a call specialises this template for their return types.
template <class R>
struct way_to_run {
  static constexpr bool is_a_call = true;  ///< a call is all that is needed
  /// the type that a caller of `run` gets
  using result = R;
  /// The submitted root that runs such a function (tine/sched/submit.hpp).
  template <class F, class... Args>
  using root = function_root<R, F, Args...>;
  /// Calls `f(args...)` on the calling thread.
  template <class F, class... Args>
  static decltype(auto) run(F&& f, Args&&... args) {
    return detail::invoked(std::forward<F>(f), std::forward<Args>(args)...);
  }
};

/// Runs `f(args...)` on the calling worker, in the way that suits its return type.
template <class F, class... Args>
decltype(auto) run_here(F&& f, Args&&... args) {
  return way_to_run<std::invoke_result_t<F, Args...>>::run(std::forward<F>(f), std::forward<Args>(args)...);
}

/// The type that `run_here` returns.
template <class F, class... Args>
using run_result = typename way_to_run<std::invoke_result_t<F, Args...>>::result;

}  // namespace sched

/// Names a worker, or no worker. Valid as long as the worker's pool lives.
class worker_ref {
 public:
  worker_ref() noexcept = default;  ///< names no worker
  explicit operator bool() const noexcept { return worker_ != nullptr; }
  friend bool operator==(worker_ref, worker_ref) noexcept = default;

  /// Returns the worker's number: what `worker_index()` returns on that worker. There must be a worker.
  TINE_API unsigned index() const noexcept;

  sched::worker* get() const noexcept { return worker_; }

 private:
  friend worker_ref this_worker() noexcept;
  explicit worker_ref(sched::worker* w) noexcept : worker_{w} {}
  sched::worker* worker_ = nullptr;
};

/// Returns the worker that the calling thread is, or, outside of every pool, a `worker_ref` that names no worker. At
/// the start of a function that `pool::run` runs, this is the caller of `run`, which stays a worker until the function
/// has ended.
inline worker_ref this_worker() noexcept { return worker_ref{sched::hot::self()}; }

/// A pool of workers that run forks. Most programs don't need one: the default pool starts at the first fork.
///
/// Thread-safety: any number of threads may call `run`, `counters` and `workers` at once. The destructor waits for
/// roots that are still running. So don't call it inside a root, nor inside another pool that was entered from there:
/// such a call ends the program with a message. (We don't recognise one such call, and it waits for ever: a call from a
/// branch that was stolen inside the other pool, while that pool also runs roots that came from elsewhere.)
///
/// A child of fork(2) has none of the threads of its parent. A pool that the child uses starts threads of its own; only
/// the parent's roots and tasks are lost. A child that was forked inside `run` may fork on, alone. If it has to wait
/// for work that a thread of the parent had taken, it ends with a message, so it should call exec or _exit there.
class pool {
 public:
  /// Starts `o.workers - 1` threads; the caller of `run` is the missing worker. If the system gives fewer threads, the
  /// pool has fewer workers: it says so once in a process, and counts it (`counters::threads_refused`). Throws
  /// std::invalid_argument for a bad option, and std::bad_alloc. A bad value of TINE_NUM_THREADS, TINE_MAX_CALLERS,
  /// TINE_STACK_BYTES or TINE_RECORD_BYTES ends the process with a message and exit code 2.
  TINE_API explicit pool(const options& o = {});
  TINE_API ~pool();
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Runs `f(args...)` in this pool, and returns the result of `f` or throws its exception. The calling thread is a
  /// worker until `f` has finished, by default for its own root only (`options::callers`). Several threads may call
  /// `run` at once. `f` runs on the calling thread, and so do the continuations of its forks, unless `options::resume`
  /// says otherwise. `f` may be a coroutine that returns a `tine::task`; coroutines move to other threads.
  ///
  /// Inside the same pool, `run` only calls `f`. Inside another pool, it first makes the forks that are still pending
  /// there stealable, so that none of them waits for `f`.
  template <class F, class... Args>
    requires std::invocable<F, Args...>
  auto run(F&& f, Args&&... args) -> sched::run_result<F, Args...> {
    return enter(false, std::forward<F>(f), std::forward<Args>(args)...);
  }

  /// Submits a root that runs `f(args...)` in this pool, and returns at once; see `tine::submit`.
  template <class F, class... Args>
    requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
  auto submit(F&& f, Args&&... args) {
    return submit(root_priority{}, std::forward<F>(f), std::forward<Args>(args)...);
  }
  /// As `submit(f, args...)`, with the class of the root.
  template <class F, class... Args>
    requires std::invocable<std::decay_t<F>, std::decay_t<Args>...>
  auto submit(root_priority priority, F&& f, Args&&... args)
      -> handle<sched::run_result<std::decay_t<F>, std::decay_t<Args>...>>;

  /// Returns the number of workers; one of them is for the caller of `run`. It is smaller than was asked for if the
  /// system gave fewer threads.
  TINE_API unsigned workers() const noexcept;

  /// Returns a bound: the number of every worker of the pool is below it. It is `workers()` plus
  /// `options::max_callers`.
  TINE_API unsigned worker_slots() const noexcept;

  /// Returns true if the destructor would end the program, because the calling code runs in this pool, or in another
  /// pool that was entered from it.
  TINE_API bool is_entered_here() const;

  /// Returns true if the calling thread works for this pool now.
  bool has_this_thread() const noexcept { return sched::works_for(*state_); }

  /// Returns the totals of what the pool has done so far.
  TINE_API tine::counters counters() const;

  /// Returns the options of the pool, with every 0 replaced by its meaning.
  TINE_API const options& settings() const noexcept;

  /// From now on the workers of the pool call the source between tasks (tine/sched/event_source.hpp). The source must
  /// live as long as the pool. Throws std::logic_error if another source is attached to the pool. Thread-safety: any
  /// thread may call it, also while the workers run.
  TINE_API void attach(sched::event_source& source);

 private:
  friend struct detail::pool_access;
  friend void sched::run_root_in_default_pool(sched::task& root);
  friend sched::pool_state& sched::pool_of_this_thread();
  friend void sched::request_looks(pool& of) noexcept;
  friend void sched::attach_listener(pool& to, worker_listener& with);
  friend void sched::detach_listener(pool& to, const worker_listener& with) noexcept;

  template <class F, class... Args>
  auto enter(bool helps_all, F&& f, Args&&... args) -> sched::run_result<F, Args...> {
    auto call = [&]() -> decltype(auto) { return sched::run_here(std::forward<F>(f), std::forward<Args>(args)...); };
    if (sched::works_for(*state_)) return call();
    sched::root_task<decltype(call)> root{call};
    sched::run_root(*state_, root, helps_all);
    if constexpr (std::is_void_v<decltype(call())>) {
      root.take();
    } else {
      return root.take();
    }
  }

  sched::pool_state* state_;
};

/// Returns the pool that serves forks made outside of every pool. The first call starts it, with default options. It is
/// never destroyed: its threads sleep, and end with the process. A child of fork(2) gets a new one. After
/// `replace_default_pool`, this is the other pool.
TINE_API pool& default_pool();

/// Starts the default pool with these options, and returns it. A wrapper that indexes arrays of `worker_count()`
/// elements by `worker_index()` sets `max_callers` to 1. Then threads outside of every pool come in turn, and as long
/// as the program submits no roots, no index is larger. Throws std::logic_error if the default pool has started
/// already, and what the constructor of `pool` throws. Thread-safety: any thread may call it.
///
///     int main() { tine::start_default_pool({.workers = 4, .max_callers = 1}); ... }
TINE_API pool& start_default_pool(const options& o);

/// From now on `p` serves the forks made outside of every pool, e.g. because it has fewer workers. Null: the pool with
/// default options does so again. Returns the pool that `p` replaces, or null. Threads that are inside a pool stay
/// there. `p` must live until it is replaced and no thread is inside. Thread-safety: any thread may call it.
///
///     tine::pool two{{.workers = 2}};
///     tine::replace_default_pool(&two);
TINE_API pool* replace_default_pool(pool* p);

/// Returns the number of the calling worker in its pool; it is below `worker_slots()`. No two threads have the same
/// number at the same time, so you can index an array with it. A plain function keeps its number from its start to its
/// end, unless `options::resume` of the pool says otherwise; a coroutine may be on another worker after each co_await.
///
/// The pool's own threads have the numbers 1 to workers() - 1, and the first caller of `run` has 0. Callers that are
/// inside at the same time have workers() and more. Each takes a number that a former caller has left, if there is one,
/// so the numbers stay as small as the number of callers that were ever inside at once. `par_on`, `fork_on` and
/// recorded schedules use the same numbers. Throws std::logic_error outside of every pool.
///
///     std::vector<counter> mine(tine::worker_slots());
///     tine::par_for(0, n, [&](int i) { mine[tine::worker_index()].add(i); });
TINE_API unsigned worker_index();

/// Returns `pool::worker_slots()` of the pool that the calling thread works for, or else of the default pool.
TINE_API unsigned worker_slots();

/// Returns the number of workers of the pool that the calling thread works for, or else of the default pool.
TINE_API unsigned worker_count();

/// Returns the options of the pool that the calling thread works for, or else of the default pool (`pool::settings`).
TINE_API const options& pool_settings();

/// Runs `f(args...)` in the pool that the calling thread works for, by calling `f` right here. Outside of every pool,
/// runs it in the default pool, as `pool::run` does.
template <class F, class... Args>
  requires std::invocable<F, Args...>
auto run(F&& f, Args&&... args) -> sched::run_result<F, Args...> {
  if (sched::hot::self() != nullptr) return sched::run_here(std::forward<F>(f), std::forward<Args>(args)...);
  return default_pool().run(std::forward<F>(f), std::forward<Args>(args)...);
}

}  // namespace tine
