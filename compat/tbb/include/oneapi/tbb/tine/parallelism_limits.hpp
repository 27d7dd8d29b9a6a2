// The limits of global_control, and the pools that keep to them. Any thread may change the limits.
#pragma once

#include <oneapi/tbb/info.h>

#include <tine/sched/options.hpp>
#include <tine/sched/pool.hpp>
#include <tine/sync/mutex.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace tbb {
namespace detail {
namespace on_tine {

/// A pool that one arena has to itself. With one caller at a time, and without an extra thread for roots, no more than
/// `workers` threads are in it, and their numbers are below `workers`.
struct lent_pool {
  lent_pool(unsigned n, std::size_t stack)
      : pool{{.workers = n, .pin = tine::affinity::none, .stack_bytes = stack, .thread_for_roots = false}},
        workers{n},
        stack_bytes{stack} {}

  tine::pool pool;
  std::unique_ptr<tine::pool> beside;  ///< of one worker: where enqueued work runs. Under the lock of the limits
  const unsigned workers;
  const std::size_t stack_bytes;
  std::atomic<bool> has_caller{false};
  tine::mutex turn;     ///< held by the caller, if the pool has no thread of its own
  bool is_lent = true;  // under the lock of the limits
};

/// The limits of the process, and its pools. We keep all pools for later use: enqueued work may still run in them, and
/// idle pools only sleep.
class [[gnu::visibility("default")]] parallelism_limits {
 public:
  enum class limit : unsigned char { workers, stack_bytes };

  /// The one object of the process, for all of its libraries. It is never destroyed, because static objects may use it.
  [[gnu::visibility("default")]] static parallelism_limits& of_process() {
    static parallelism_limits& only = *new parallelism_limits;
    return only;
  }

  /// Adds a limit. Throws std::invalid_argument if no pool can have such stacks.
  void add(limit what, std::size_t value) {
    if (what == limit::stack_bytes && value > usual_stack()) static_cast<void>(tine::resolved({.stack_bytes = value}));
    const std::lock_guard guard{lock_};
    values(what).push_back(value);
    apply();
  }
  /// Removes a limit with this value.
  void remove(limit what, std::size_t value) {
    const std::lock_guard guard{lock_};
    std::vector<std::size_t>& all = values(what);
    all.erase(std::find(all.begin(), all.end(), value));
    apply();
  }
  /// Returns the smallest number of workers, or the largest stack that was asked for; the default if there is none.
  std::size_t active(limit what) {
    const std::lock_guard guard{lock_};
    return strictest(what);
  }

  /// Returns a pool with this number of workers. No other arena uses it until `give_back`.
  lent_pool& borrow(unsigned workers) {
    const std::lock_guard guard{lock_};
    return lent(workers);
  }
  /// Returns the pool for work that is enqueued in an arena with that pool, or, if it is null, in a view of the default
  /// pool. The default pool, and one of a single worker, would start one more thread for it. That thread would take
  /// part in loops of the others, and its number would not be below that of the workers.
  tine::pool& pool_for_roots(lent_pool* of) {
    const std::lock_guard guard{lock_};
    if (of == nullptr) {
      if (for_roots_ == nullptr) for_roots_ = &lent(tine::default_pool().workers());
      of = for_roots_;
    }
    if (of->workers > 1) return of->pool;
    if (of->beside == nullptr) of->beside = std::make_unique<tine::pool>(of->pool.settings());
    return *of->beside;
  }
  void give_back(lent_pool& p) noexcept {
    const std::lock_guard guard{lock_};
    p.is_lent = false;
  }
  /// Returns the pool of an arena that the calling thread works for, or null.
  lent_pool* of_this_thread() noexcept {
    const std::lock_guard guard{lock_};
    for (const auto& p : lent_) {
      if (p->pool.has_this_thread() || (p->beside != nullptr && p->beside->has_this_thread())) return p.get();
    }
    return nullptr;
  }

 private:
  parallelism_limits() = default;

  static std::size_t usual_stack() { return tine::resolved({}).stack_bytes; }
  std::vector<std::size_t>& values(limit what) noexcept { return values_[static_cast<unsigned>(what)]; }
  std::size_t strictest(limit what) {
    const std::vector<std::size_t>& all = values(what);
    if (what == limit::workers) {
      return all.empty() ? static_cast<std::size_t>(default_concurrency()) : *std::min_element(all.begin(), all.end());
    }
    return all.empty() ? usual_stack() : *std::max_element(all.begin(), all.end());
  }
  /// Stacks are never smaller than usual: what a program asked for was enough for its code on oneTBB.
  std::size_t stack_bytes() { return std::max(usual_stack(), strictest(limit::stack_bytes)); }
  lent_pool& lent(unsigned workers) {
    const std::size_t stack = stack_bytes();
    for (const auto& p : lent_) {
      if (!p->is_lent && p->workers == workers && p->stack_bytes == stack) {
        p->is_lent = true;
        return *p;
      }
    }
    lent_.push_back(std::make_unique<lent_pool>(workers, stack));
    return *lent_.back();
  }
  /// Makes a pool within the limits serve the threads outside of every pool. As in oneTBB, a limit above the number of
  /// processors matters to arenas only.
  void apply() {
    const auto usual = static_cast<unsigned>(default_concurrency());
    const auto workers = static_cast<unsigned>(std::min<std::size_t>(strictest(limit::workers), usual));
    const std::size_t stack = stack_bytes();
    const bool is_usual = workers == usual && stack == usual_stack();
    tine::replace_default_pool(is_usual ? nullptr : &pool_with(workers, stack));
  }
  tine::pool& pool_with(unsigned workers, std::size_t stack) {
    for (const auto& p : serving_) {
      if (p->workers() == workers && p->settings().stack_bytes >= stack) return *p;
    }
    serving_.push_back(std::make_unique<tine::pool>(tine::options{.workers = workers, .stack_bytes = stack}));
    return *serving_.back();
  }

  std::mutex lock_;  // guards all members, also while a pool starts
  std::vector<std::size_t> values_[2];
  std::vector<std::unique_ptr<lent_pool>> lent_;
  lent_pool* for_roots_ = nullptr;
  std::vector<std::unique_ptr<tine::pool>> serving_;  ///< pools that serve, or have served
};

}  // namespace on_tine
}  // namespace detail
}  // namespace tbb
