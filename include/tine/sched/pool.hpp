// A pool of workers, and the ways into it.
#pragma once

#include <tine/base/result.hpp>
#include <tine/sched/counters.hpp>
#include <tine/sched/hot_words.hpp>
#include <tine/sched/options.hpp>
#include <tine/sched/task.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace tine {

class pool;

namespace detail {
struct pool_access;
}

namespace sched {

class worker;
struct pool_state;

/// Runs `root` in the pool: the calling thread becomes a worker until it is finished. `helps_all`: it takes work of every root
/// meanwhile, whatever the options say.
void run_root(pool_state& pool, task& root, bool helps_all = false);

/// Whether the calling thread is a worker of that pool already.
bool works_for(const pool_state& pool) noexcept;

/// Whether they are workers of the same pool.
bool are_together(const worker& a, const worker& b) noexcept;

/// A function on its way into a pool. Lives on the stack of the caller, who waits for it.
template <class F>
class root_task : public task {
 public:
  explicit root_task(F& f) noexcept : task{&kind, completion{}, 0}, function_{f} {}
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

/// Runs `root` in the default pool. The calling thread works for no pool.
void run_root_in_default_pool(task& root);

/// Calls `f` in the default pool, for front ends outside every pool. `tine::run` is the way for users, and can do more; it is also more
/// code, at every fork of a program.
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

/// How a function that returns an `R` is run on a worker: it is called. A front end whose functions need more than that
/// specialises this for what they return.
template <class R>
struct way_to_run {
  static constexpr bool is_a_call = true;  ///< and nothing else
  using result = R;
  template <class F, class... Args>
  static decltype(auto) run(F&& f, Args&&... args) {
    return detail::invoked(std::forward<F>(f), std::forward<Args>(args)...);
  }
};

template <class F, class... Args>
decltype(auto) run_here(F&& f, Args&&... args) {
  return way_to_run<std::invoke_result_t<F, Args...>>::run(std::forward<F>(f), std::forward<Args>(args)...);
}

template <class F, class... Args>
using run_result = typename way_to_run<std::invoke_result_t<F, Args...>>::result;

}  // namespace sched

/// Names a worker. Good as long as its pool lives.
class worker_ref {
 public:
  worker_ref() noexcept = default;  ///< nobody
  explicit operator bool() const noexcept { return worker_ != nullptr; }
  friend bool operator==(worker_ref, worker_ref) noexcept = default;

  /// Its number, as `worker_index()` gives it on that worker. Not of nobody.
  unsigned index() const noexcept;

  sched::worker* get() const noexcept { return worker_; }

 private:
  friend worker_ref this_worker() noexcept;
  explicit worker_ref(sched::worker* w) noexcept : worker_{w} {}
  sched::worker* worker_ = nullptr;
};

/// The worker that the calling thread is; nobody outside every pool. At the start of what `pool::run` runs it is the caller
/// of `run`, which stays a worker until that has ended.
inline worker_ref this_worker() noexcept { return worker_ref{sched::hot::self()}; }

/// A pool of workers that run forks. Most programs need none: the default pool starts at the first fork.
///
/// Thread-safety: `run`, `counters`, `workers` may be called from any number of threads at once. The destructor waits
/// for roots that are still running, so it must not be called from inside one, nor from inside another pool that was
/// entered from there: that ends the program with a message. (One such call is not recognised, and waits for ever: from a
/// branch that was stolen inside the other pool, while that pool also runs roots that came from elsewhere.) After fork(2)
/// the child cannot use it.
class pool {
 public:
  /// Starts `o.workers - 1` threads; the caller of `run` is the missing worker.
  /// Throws std::invalid_argument for a bad option or a bad TINE_NUM_THREADS, TINE_STACK_BYTES or TINE_RECORD_BYTES, std::system_error if the system refuses a
  /// thread or memory.
  explicit pool(const options& o = {});
  ~pool();
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// Runs `f(args...)` in this pool and returns what it returns, or throws what it throws. The calling thread takes part
  /// as a worker until that is finished, for its own root unless `options::callers` says otherwise; several threads may do so at once.
  /// `f` runs on the calling thread, and what follows its forks, too, unless `options::resume` says otherwise. It may be a coroutine
  /// that returns a `tine::task`; coroutines move to other threads.
  ///
  /// From inside the same pool it just calls `f`. From inside another pool, the forks still pending there are first
  /// made stealable, so that none of them waits for `f`.
  template <class F, class... Args>
    requires std::invocable<F, Args...>
  auto run(F&& f, Args&&... args) -> sched::run_result<F, Args...> {
    return enter(false, std::forward<F>(f), std::forward<Args>(args)...);
  }

  /// Workers, one of them for the caller of `run`.
  unsigned workers() const noexcept;

  /// The numbers of its workers are below this: `workers()` and `options::max_callers`, less the caller that is counted in both.
  unsigned worker_slots() const noexcept;

  /// What the pool has done so far.
  tine::counters counters() const;

 private:
  friend struct detail::pool_access;
  friend void sched::run_root_in_default_pool(sched::task& root);

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

/// The pool that serves forks made outside every pool, started when first asked for with default options. It is never
/// destroyed: its threads sleep, and end with the process. After fork(2) the child gets a new one.
pool& default_pool();

/// The number of the worker that the calling thread is in the pool that it works for, below `worker_slots()`. No two threads have
/// the same at a time. A plain function has the same from its begin to its end, unless `options::resume` of the pool says otherwise; a
/// coroutine may be on another worker after each co_await. The pool's own threads have 1 to workers() - 1. The first caller of `run` has 0, others who are inside at the same
/// time workers() and more, each the number that a former caller has left, if there is one: the numbers in use stay as small as the
/// number of callers that were ever inside at once. `par_on`, `fork_on` and recorded schedules use the same numbers. Throws
/// std::logic_error outside every pool.
///
///     std::vector<counter> mine(tine::worker_slots());
///     tine::par_for(0, n, [&](int i) { mine[tine::worker_index()].add(i); });
unsigned worker_index();

/// How many numbers of workers there can be in the pool that the calling thread works for, or else in the default pool.
unsigned worker_slots();

/// The workers of the pool that the calling thread works for, or else of the default pool.
unsigned worker_count();

/// Runs `f(args...)` in the pool that the calling thread works for, which means right here; or else in the default pool,
/// as `pool::run` does.
template <class F, class... Args>
  requires std::invocable<F, Args...>
auto run(F&& f, Args&&... args) -> sched::run_result<F, Args...> {
  if (sched::hot::self() != nullptr) return sched::run_here(std::forward<F>(f), std::forward<Args>(args)...);
  return default_pool().run(std::forward<F>(f), std::forward<Args>(args)...);
}

}  // namespace tine
