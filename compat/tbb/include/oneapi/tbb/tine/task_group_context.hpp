// task_group_context: what is cancelled together. Any thread may cancel a context; a strand asks it for itself.
//
// A context is a tine::stop_flag under which algorithms run. The strand's scopes tell in which contexts it is, so a
// context needs neither a pointer to its parent nor a list of its children: cancelling it stops everything inside.
#pragma once

#include <oneapi/tbb/tine/first_exception.hpp>
#include <tine/sched/floating_point_scope.hpp>
#include <tine/sched/stop_flag.hpp>
#include <tine/sched/unstoppable.hpp>

#include <atomic>
#include <cfenv>
#include <cstdint>
#include <exception>
#include <utility>

namespace tbb::detail::on_tine {

/// A bound context is cancelled with the one around it; an isolated one isn't. An exception of a body cancels its
/// context.
class task_group_context {
 public:
  enum kind_type { isolated, bound };
  enum traits_type { fp_settings = 1 << 1, concurrent_wait = 1 << 2, default_traits = 0 };

  explicit task_group_context(kind_type relation_with_parent = bound, std::uintptr_t traits = default_traits)
      : is_isolated_{relation_with_parent == isolated}, traits_{traits & ~std::uintptr_t{fp_settings}} {
    if ((traits & fp_settings) != 0) capture_fp_settings();
  }
  task_group_context(const task_group_context&) = delete;
  task_group_context& operator=(const task_group_context&) = delete;

  /// Returns false if the context was cancelled already.
  bool cancel_group_execution() { return flag_.request_stop(); }
  bool is_group_execution_cancelled() const {
    // relaxed: it publishes nothing
    return was_stopped_from_around_.load(std::memory_order_relaxed) || flag_.is_stopping();
  }
  /// Nothing may run in the context meanwhile.
  void reset() {
    flag_.reset();
    was_stopped_from_around_.store(false, std::memory_order_relaxed);  // relaxed: no other thread uses it
  }
  /// Bodies in the context run under the floating-point settings of the calling thread.
  void capture_fp_settings() {
    std::fegetenv(&settings_);
    traits_ |= fp_settings;
  }
  std::uintptr_t traits() const { return traits_; }

  /// Runs `f()` in the context, unless the context is cancelled. If a context stops it, returns normally.
  template <class F>
  void run(F&& f) {
    if (is_isolated_) {
      tine::run([&] { tine::unstoppable([&] { run_inside(f); }); });
    } else {
      run_inside(f);
    }
  }
  const tine::stop_flag& flag() const { return flag_; }
  bool is_isolated() const { return is_isolated_; }

 private:
  template <class F>
  void run_inside(F& f) {
    if (is_group_execution_cancelled()) return;
    const bool ended = flag_.run([&] { (traits_ & fp_settings) != 0 ? run_with_settings(f) : f(); });
    // relaxed: it publishes nothing
    if (!ended) was_stopped_from_around_.store(true, std::memory_order_relaxed);
  }

  template <class F>
  void run_with_settings(F& f) {
    tine::floating_point_scope([&] {
      const int raised = std::fetestexcept(FE_ALL_EXCEPT);
      std::fesetenv(&settings_);
      std::feraiseexcept(raised);
      f();
    });
  }

  tine::stop_flag flag_;
  std::atomic<bool> was_stopped_from_around_{false};
  const bool is_isolated_;
  std::uintptr_t traits_;
  std::fenv_t settings_;
};

/// Returns true if the innermost context of the calling strand is cancelled, or one around it that it is bound to.
inline bool is_current_task_group_canceling() { return tine::is_stopping(); }

/// One call of an algorithm. An exception that a body throws cancels the context, so that the other bodies end early.
class call_in_context {
 public:
  explicit call_in_context(task_group_context& c) noexcept : context_{c} {}

  /// Runs the algorithm, and throws the first exception of its bodies.
  template <class F>
  void run(F&& algorithm) {
    try {
      context_.run(algorithm);
    } catch (...) {
      first_.rethrow();
      throw;  // not of a body: tine itself has thrown it, e.g. tine::stopped or std::bad_alloc
    }
    first_.rethrow();
  }

  /// Calls a body, or another function of the program.
  template <class F>
  decltype(auto) body(F&& f) {
    try {
      return std::forward<F>(f)();
    } catch (const tine::stopped&) {
      throw;
    } catch (...) {
      first_.set(std::current_exception());
      context_.cancel_group_execution();
      throw;
    }
  }

 private:
  task_group_context& context_;
  first_exception first_;
};

}  // namespace tbb::detail::on_tine

namespace tbb {
inline namespace v1 {
using detail::on_tine::is_current_task_group_canceling;
using detail::on_tine::task_group_context;
}  // namespace v1
}  // namespace tbb
