// stop_flag: stops everything that runs under it. For code that stops itself, as cancellation in oneTBB and OpenMP
// does; `run_stoppable` takes a std::stop_token, which costs an allocation. Any thread may set the flag.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/result.hpp>
#include <tine/detail/sched/alert.hpp>
#include <tine/detail/sched/scope.hpp>
#include <tine/sched/pool.hpp>

#include <utility>

namespace tine {

namespace detail {
class group_state;
}

/// A flag under which functions run until a thread sets it. From then on their forks and loops stop, on any worker:
///
///     tine::stop_flag found;
///     found.run([&] {
///       tine::par_for(0, n, [&](int i) { if (fits(i)) { keep(i); found.request_stop(); } });
///     });
///
/// A stop isn't an error here, so `run` returns normally. So does every `run` inside of it, as soon as this one is to
/// stop. A flag costs some ten nanoseconds a `run`. Several threads may be in `run` of one flag at once.
class stop_flag {
 public:
  stop_flag() noexcept = default;  ///< not set at first
  ~stop_flag() = default;
  stop_flag(const stop_flag&) = delete;
  stop_flag& operator=(const stop_flag&) = delete;

  /// Sets the flag. Returns true if it was not set before. Thread-safe.
  TINE_API bool request_stop() noexcept;

  /// Returns true if the flag is set. Thread-safe.
  bool stop_requested() const noexcept { return stopping_.load(base::relaxed); }  // relaxed: it publishes nothing

  /// Returns true if the flag is set; or if the calling strand is inside of `run`, and is to stop for a reason from
  /// around it. Thread-safe.
  bool is_stopping() const noexcept { return stop_requested() || (is_to_stop() && is_stopped_from_around()); }

  /// Clears the flag. Nothing may run under it meanwhile.
  void reset() noexcept {
    if (stop_requested()) clear();
  }

  /// Runs `f()` under the flag, in the pool that the calling thread works for, or else in the default pool. Returns
  /// true if `f` has ended, and false if it was stopped by this flag, or by that of a `run` around this one; then it
  /// may not even have started. Throws `tine::stopped` if something else stops the calling strand, and what `f` throws.
  template <std::invocable F>
  bool run(F&& f) {
    if (sched::hot::self() == nullptr) return tine::run([&] { return run(std::forward<F>(f)); });
    const region here{*this};
    if (is_to_stop()) [[unlikely]] {
      if (!here.ends_quietly()) sched::throw_stopped();
      return false;
    }
    try {
      static_cast<void>(std::forward<F>(f)());
      return true;
    } catch (const stopped&) {
      if (!here.ends_quietly()) throw;
      return false;
    }
  }

 private:
  friend class detail::group_state;

  /// Returns the scope of the flag inside of `outer`, from the record `from` on. Without a flag it never stops.
  static sched::scope scope_of(const stop_flag* flag, const sched::scope* outer, sched::address from) noexcept {
    sched::scope s{outer, from, flag != nullptr ? &flag->stopping_ : nullptr};
    s.ends_quietly = true;
    return s;
  }

  /// While it lives, the strand runs under the flag. It begins and ends on one fiber.
  class region {
   public:
    explicit region(const stop_flag& flag) noexcept
        : scope_{scope_of(&flag, sched::current_scope(), sched::hot::top())} {
      sched::enter_scope(&scope_);
    }
    ~region() { sched::enter_scope(scope_.outer); }
    region(const region&) = delete;
    region& operator=(const region&) = delete;
    bool ends_quietly() const noexcept { return sched::is_stopping_quietly(&scope_); }

   private:
    const sched::scope scope_;
  };

  TINE_API TINE_COLD bool is_stopped_from_around() const noexcept;
  TINE_API TINE_COLD void clear() noexcept;
  static bool is_to_stop() noexcept { return sched::hot::is_past_limit(nullptr) && sched::must_stop(); }

  base::atomic<bool> stopping_{false};
  sched::alert alert_;
};

}  // namespace tine
