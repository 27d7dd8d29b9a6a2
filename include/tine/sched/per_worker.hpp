// per_worker: a variable of which each worker has its own copy, e.g. a buffer or a counter. Each worker touches its own
// copy only.
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
/// `local` don't get one. Each copy has cache lines of its own.
///
///     tine::per_worker<histogram> parts;
///     tine::par_for(0, n, [&](int i) { parts.local().add(x[i]); });
///     histogram all = parts.combine(histogram{}, std::plus<>{});
///
/// The schedule decides which worker runs an iteration. So the parts differ from run to run, and so does their sum if
/// it depends on the grouping, as floating-point sums do; `par_reduce` keeps the order.
///
/// Thread-safety: all workers may call `local` at once. Between two forks, loops or waits no other strand uses the
/// copy; over a fork another strand may use it on the same thread. In a coroutine, don't keep the reference over a
/// co_await: the task may be on another worker afterwards. The other functions must not run beside `local`: call them
/// after the join.
template <class T, std::invocable Init = detail::value_initialised<T>>
class per_worker {
  static_assert(std::is_object_v<T> && std::convertible_to<std::invoke_result_t<Init&>, T>,
                "tine: the function that makes the copies of a per_worker must return its type");

 public:
  /// Each copy will be value-initialised. The copies are for the pool that the calling thread works for, or, outside of
  /// every pool, for the default pool.
  per_worker()
    requires std::default_initializable<Init>
      : per_worker{Init{}} {}
  /// Each copy will be the result of `init()`. A worker calls it at its first call of `local`, perhaps at the same time
  /// as other workers.
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

  /// Returns the copy of the calling worker. Throws std::logic_error if the calling thread isn't a worker of the pool,
  /// and what the construction of a copy throws. The first call on a worker allocates memory; later ones take some
  /// nanoseconds.
  T& local() {
    copy*& mine = copies_[sched::index_in(pool_)];
#if TINE_RACE
    tine_race_choose_slot(&mine, sizeof mine);  // strands on one worker use the copy one after the other
#endif
    if (mine == nullptr) {
      mine = new copy{init_()};
#if TINE_RACE
      tine_race_choose_slot(&mine, sizeof mine);  // `init_` may have forked
      tine_race_choose_slot(mine, sizeof *mine);
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
  copy** const copies_;  // null: the worker doesn't have one
};

template <std::invocable Init>
per_worker(Init) -> per_worker<std::decay_t<std::invoke_result_t<Init&>>, Init>;

}  // namespace tine
