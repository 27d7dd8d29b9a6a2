// task_scheduler_observer: code that threads call when they begin and end to work. It is called on these threads.
#pragma once

#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/tine/split.hpp>

#include <tine/sched/worker_listener.hpp>

namespace tbb {
namespace detail {
namespace on_tine {

/// Derive a class from it and call `observe`. A thread calls `on_scheduler_entry` before it runs its first task, and
/// `on_scheduler_exit` before it sleeps for want of work, or leaves. A thread from outside enters and leaves with each
/// algorithm that it starts, and with each `execute` of an arena that has its own threads.
///
/// Thread-safety: several threads may call the two functions at once. One thread at a time may call `observe`. Call
/// `observe(false)` in the destructor of the derived class; otherwise a thread may call the functions of an object that
/// is half gone.
class task_scheduler_observer {
 public:
  /// Will observe the threads that work in the same arena as the one that calls `observe`.
  task_scheduler_observer() = default;
  /// Will observe the threads of that arena.
  explicit task_scheduler_observer(task_arena& arena) : arena_{&arena} {}
  virtual ~task_scheduler_observer() { observe(false); }
  task_scheduler_observer(const task_scheduler_observer&) = delete;
  task_scheduler_observer& operator=(const task_scheduler_observer&) = delete;

  virtual void on_scheduler_entry([[maybe_unused]] bool is_worker) {}
  virtual void on_scheduler_exit([[maybe_unused]] bool is_worker) {}

  /// Starts or stops the calls. When `observe(false)` returns, no thread is in a call.
  void observe(bool state = true) {
    if (state == is_observing()) return;
    if (state) {
      tine::pool& of =
          arena_ != nullptr ? arena_->initialised_pool() : task_arena{task_arena::attach{}}.initialised_pool();
      tine::listen(of, relay_);
      of_ = &of;
    } else {
      tine::stop_listening(*of_, relay_);
      of_ = nullptr;
    }
  }
  bool is_observing() const noexcept { return of_ != nullptr; }

 private:
  struct relay final : tine::worker_listener {
    explicit relay(task_scheduler_observer& o) noexcept : to{o} {}
    void begins(bool is_caller) noexcept override { to.on_scheduler_entry(!is_caller); }
    void ends(bool is_caller) noexcept override { to.on_scheduler_exit(!is_caller); }
    task_scheduler_observer& to;
  };

  task_arena* arena_ = nullptr;
  tine::pool* of_ = nullptr;
  relay relay_{*this};
};

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::task_scheduler_observer;
}
}  // namespace tbb
