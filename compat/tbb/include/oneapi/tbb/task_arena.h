// task_arena: a place for parallel algorithms, with a limit of the threads that work there. Any thread may use one.
#pragma once

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/tine/attach.hpp>
#include <oneapi/tbb/tine/isolation.hpp>
#include <oneapi/tbb/tine/parallelism_limits.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <tine/sched/pool.hpp>
#include <tine/sched/submit.hpp>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <mutex>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

class task_scheduler_observer;

/// A place where at most `max_concurrency` threads work, and from which they take no work of other places while they
/// wait.
///
/// An arena for as many threads as the default pool has, or more, is a view of that pool. An arena for fewer threads
/// has a pool of its own, whose threads sleep while it has no work. A thread that calls `execute` is one of them. If
/// several threads from outside of every arena call it at the same time, the first one works in the arena, and the
/// functions of the others run on the arena's own threads. In an arena of one thread, one runs after the other. A
/// thread that comes from another arena always works itself, for its own function, and isn't counted.
///
/// Thread-safety: any number of threads may call `initialize`, `execute`, `enqueue`, `is_active` and `max_concurrency`.
/// `terminate`, and the end, must not run beside them. Work that was enqueued may outlive the arena.
class task_arena {
 public:
  /// The class of what is enqueued: work of high priority starts first.
  enum class priority : int { low = 1, normal = 2, high = 3 };
  using constraints = on_tine::constraints;
  using attach = on_tine::attach;

  static constexpr int automatic = -1;        ///< the limit of the default pool
  static constexpr int not_initialized = -2;  ///< what oneTBB returns for a thread without an arena

  /// `reserved`: oneTBB keeps as many of the places for threads from outside; here there is always one.
  explicit(false) task_arena(int max_concurrency = automatic, [[maybe_unused]] unsigned reserved = 1,
                             priority how = priority::normal)
      : concurrency_{checked(max_concurrency)}, priority_{how} {}
  explicit(false) task_arena(const constraints& c, unsigned reserved = 1, priority how = priority::normal)
      : task_arena{concurrency_of(c), reserved, how} {}
  /// An arena with the same settings, which isn't initialised.
  task_arena(const task_arena& other) : concurrency_{other.concurrency_}, priority_{other.priority_} {}
  task_arena& operator=(const task_arena&) = delete;
  /// The arena that the calling thread works in.
  explicit task_arena(attach) : task_arena{} { initialize(attach{}); }
  ~task_arena() { terminate(); }

  /// Gets the threads that the arena needs. The first call of `execute` or `enqueue` does it otherwise.
  void initialize() {
    // acquire pairs with the release below, so that we see own_
    if (is_active_.load(std::memory_order_acquire)) return;
    const std::lock_guard guard{starting_};
    if (is_active_.load(std::memory_order_relaxed)) return;  // relaxed: under the lock
    const std::size_t allowed = limits().active(parallelism_limits::limit::workers);
    const unsigned usual = tine::default_pool().workers();
    const auto workers = concurrency_ == automatic
                             ? usual
                             : static_cast<unsigned>(std::min<std::size_t>(allowed, unsigned(concurrency_)));
    if (workers != usual) {
      own_ = &limits().borrow(std::min(workers, tine::max_workers));
      gives_back_ = true;
    }
    is_active_.store(true, std::memory_order_release);  // pairs with the acquire above
  }
  void initialize(int max_concurrency, unsigned = 1, priority how = priority::normal) {
    if (is_active()) return;
    concurrency_ = checked(max_concurrency);
    priority_ = how;
    initialize();
  }
  void initialize(const constraints& c, unsigned reserved = 1, priority how = priority::normal) {
    initialize(concurrency_of(c), reserved, how);
  }
  /// Makes this the arena that the calling thread works in.
  void initialize(attach) {
    if (is_active()) return;
    if (lent_pool* const here = limits().of_this_thread()) {
      own_ = here;
      concurrency_ = static_cast<int>(here->workers);
    }
    is_attached_ = true;
    is_active_.store(true, std::memory_order_release);  // pairs with the acquire in initialize
  }
  bool is_active() const noexcept {
    return is_active_.load(std::memory_order_acquire);  // pairs with the release in initialize
  }
  /// Gives the threads back. The arena may be initialised again.
  void terminate() noexcept {
    if (gives_back_) limits().give_back(*own_);
    own_ = nullptr;
    gives_back_ = is_attached_ = false;
    is_active_.store(false, std::memory_order_relaxed);  // relaxed: no other thread uses the arena
  }

  /// Returns the most threads that work in the arena.
  int max_concurrency() const {
    if (concurrency_ != automatic) return concurrency_;
    return static_cast<int>(tine::default_pool().workers());
  }

  /// Runs `f()` in the arena, and returns its result or throws its exception.
  template <class F>
  auto execute(F&& f) -> decltype(f()) {
    tine::pool& here = initialised_pool();
    // in the pool already, which belongs to this arena alone, or else may run work of others
    if (here.has_this_thread()) return own_ != nullptr || is_attached_ ? f() : isolated(f);
    // A worker of another pool must not wait for threads of this one, which may wait for it. So it comes in itself.
    if (own_ == nullptr || tine::this_worker()) return here.run(f);
    if (own_->workers == 1) {  // it has no thread of its own: one after the other
      const std::lock_guard turn{own_->turn};
      return here.run(f);
    }
    // acquire pairs with the release at the end of the other call, so that this one finds its place free
    if (own_->has_caller.exchange(true, std::memory_order_acquire)) {
      return here.submit([&]() -> decltype(auto) { return f(); }).get();
    }
    const struct place {
      std::atomic<bool>& taken;
      ~place() { taken.store(false, std::memory_order_release); }  // pairs with the acquire above
    } place_here{own_->has_caller};
    return here.run(f);
  }

  /// Runs `f()` in the arena some time, and doesn't wait for it. An exception ends the program.
  template <class F>
    requires std::invocable<std::decay_t<F>&>
  void enqueue(F&& f) {
    initialize();
    const auto how = priority_ == priority::high ? tine::root_priority::urgent : tine::root_priority::normal;
    limits().pool_for_roots(own_).submit(how, std::forward<F>(f)).detach();
  }
  /// Adds a task of a task_group, which waits for it. The task runs in the arena.
  void enqueue(task_handle&& h) {
    h.add_in([&in = initialised_pool()](auto call) { in.run(call); });
  }

 private:
  friend task_scheduler_observer;

  tine::pool& initialised_pool() {
    initialize();
    return own_ != nullptr ? own_->pool : tine::default_pool();
  }
  static parallelism_limits& limits() { return parallelism_limits::of_process(); }
  static int checked(int max_concurrency) {
    if (max_concurrency == automatic || max_concurrency > 0) return max_concurrency;
    throw std::invalid_argument{"tbb::task_arena: max_concurrency must be 1 or more, or task_arena::automatic"};
  }
  static int concurrency_of(const constraints& c) {
    if (c.numa_id != -1 || c.core_type != -1) {
      throw std::invalid_argument{
          "tbb::task_arena: tine places its workers itself, so constraints can name neither a NUMA node nor a type of cores: leave -1, which tbb::info gives"};
    }
    return c.max_concurrency;
  }

  int concurrency_;
  priority priority_;
  std::atomic<bool> is_active_{false};
  bool gives_back_ = false;
  bool is_attached_ = false;
  lent_pool* own_ = nullptr;  ///< null: the arena is a view of the default pool
  std::mutex starting_;
};

/// Runs `f()` so that the calling thread, while it waits inside, takes no work from outside of the call.
template <class F>
auto isolate(F&& f) -> decltype(f()) {
  return isolated(f);
}

/// Returns a number below `max_concurrency()` that no other thread of the arena has. Outside of every arena it is 0.
inline int current_thread_index() {
  if (!tine::this_worker()) return 0;
  // Threads from outside have the number 0, or, if they are several, numbers above those of the workers. Each works for
  // its own algorithm, as if in an arena of its own.
  const unsigned mine = tine::worker_index();
  return mine < tine::worker_count() ? static_cast<int>(mine) : 0;
}
/// Returns the most threads that work in the arena of the calling thread.
inline int max_concurrency() { return static_cast<int>(tine::worker_count()); }

/// Runs `f()` in the arena of the calling thread some time, and doesn't wait for it. An exception ends the program.
template <class F>
  requires std::invocable<std::decay_t<F>&>
void enqueue(F&& f) {
  parallelism_limits& limits = parallelism_limits::of_process();
  limits.pool_for_roots(limits.of_this_thread()).submit(std::forward<F>(f)).detach();
}
/// Adds a task of a task_group, which waits for it. The task runs in the arena of the calling thread.
inline void enqueue(task_handle&& h) { task_arena{task_arena::attach{}}.enqueue(std::move(h)); }

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::attach;
using detail::on_tine::task_arena;

namespace this_task_arena {
using detail::on_tine::current_thread_index;
using detail::on_tine::enqueue;
using detail::on_tine::isolate;
using detail::on_tine::max_concurrency;
}  // namespace this_task_arena
}  // namespace v1
}  // namespace tbb
