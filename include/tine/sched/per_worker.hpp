// per_worker: a variable of which each worker has its own copy.
#pragma once

#include <tine/detail/base/cache_line.hpp>
#include <tine/detail/base/race_branch.hpp>
#include <tine/sched/pool.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace tine {
namespace sched {

/// Returns `worker_index()` of a worker of that pool. Throws std::logic_error on every other thread.
TINE_API unsigned index_in(const pool_state& pool);
/// Returns `worker_slots()` of that pool.
TINE_API unsigned slots_of(const pool_state& pool) noexcept;

}  // namespace sched

namespace detail {

template <class T>
struct value_initialised {
  T operator()() const { return T(); }
};

}  // namespace detail

/// A `T` for each worker of a pool that asks for one: a buffer, a counter, a random generator. Workers that never call
/// `local` have none. Each is on cache lines of its own.
///
///     tine::per_worker<histogram> parts;
///     tine::par_for(0, n, [&](int i) { parts.local().add(x[i]); });
///     histogram all = parts.combine(histogram{}, std::plus<>{});
///
/// Which worker runs an iteration depends on the schedule. So the parts differ from run to run, and so does their sum
/// if it depends on the grouping, as floating-point sums do; `par_reduce` keeps the order.
///
/// Thread-safety: `local` may be called on all workers at once. Between two forks, loops or waits no other strand uses
/// the copy; over a fork another strand may use it on the same thread. In a coroutine, co_await ends the use: the task
/// may be on another worker afterwards. The other functions must not run beside `local`: call them after the join.
template <class T, std::invocable Init = detail::value_initialised<T>>
class per_worker {
  static_assert(std::is_object_v<T> && std::convertible_to<std::invoke_result_t<Init&>, T>,
                "tine: the function that makes the copies of a per_worker must return its type");

 public:
  /// Each copy will be value-initialised. It is for the pool that the calling thread works for; outside every pool, for
  /// the default pool.
  per_worker()
    requires std::default_initializable<Init>
      : per_worker{Init{}} {}
  /// Each copy will be the result of `init()`, which is called on the worker at its first call of `local`, perhaps on
  /// several at once.
  explicit per_worker(Init init)
      : pool_{sched::pool_of_this_thread()},
        size_{sched::slots_of(pool_)},
        init_{std::move(init)},
        copies_{new copy* [size_] {}} {}
  ~per_worker() {
    clear();
    delete[] copies_;
  }
  per_worker(const per_worker&) = delete;
  per_worker& operator=(const per_worker&) = delete;

  /// Returns the copy of the worker that the calling thread is. Throws std::logic_error if it is no worker of the pool,
  /// and what the construction of a copy throws. The first call of a worker allocates memory; later ones take some
  /// nanoseconds.
  T& local() {
    copy*& mine = copies_[sched::index_in(pool_)];
    if (mine == nullptr) {
      mine = new copy{init_()};
#if TINE_RACE
      // Strands on one worker use the copy one after the other.
      tine_race_ignore_memory(&mine, sizeof mine);
      tine_race_ignore_memory(mine, sizeof *mine);
#endif
    }
    return mine->value;
  }

  /// Calls `f(copy)` for each copy, in the order of the workers' numbers.
  template <std::invocable<T&> F>
  void for_each(F f) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (copies_[i] != nullptr) f(copies_[i]->value);
    }
  }

  /// Returns `op(... op(op(first, copy), copy) ...)` over all copies, in the order of the workers' numbers.
  template <class R, class Op>
    requires std::invocable<Op&, R, const T&>
  R combine(R first, Op op) const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (copies_[i] != nullptr) first = static_cast<R>(op(std::move(first), std::as_const(copies_[i]->value)));
    }
    return first;
  }

  /// Destroys all copies.
  void clear() noexcept {
    for (std::size_t i = 0; i < size_; ++i) delete std::exchange(copies_[i], nullptr);
  }

 private:
  struct alignas(base::cache_line_pair) copy {
    T value;
  };

  sched::pool_state& pool_;
  const std::size_t size_;
  Init init_;
  copy** const copies_;  // null: the worker has none
};

template <std::invocable Init>
per_worker(Init) -> per_worker<std::decay_t<std::invoke_result_t<Init&>>, Init>;

}  // namespace tine
