// task_group: tasks that may run in parallel until a thread waits for all of them. Any thread may add tasks.
//
// The tasks are those of a tine::task_group with the flag of the context. The context is bound to the one in which the
// first task is added.
#pragma once

#include <oneapi/tbb/tine/added_task.hpp>
#include <oneapi/tbb/tine/isolation.hpp>
#include <oneapi/tbb/tine/task_group_context.hpp>
#include <tine/sync/mutex.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

enum task_group_status { not_complete, complete, canceled };

/// The destructor of a group throws it if tasks had not ended.
class missing_wait : public std::exception {
 public:
  const char* what() const noexcept override { return "tbb::task_group: wait() was not called before the destructor"; }
};

class task_group;

/// A task that `task_group::defer` has made. It doesn't run before it is passed to `run` of its group, or to an arena.
/// As long as the handle has a task, `wait` of the group doesn't return.
class task_handle {
 public:
  task_handle() = default;
  explicit operator bool() const noexcept { return task_ != nullptr; }
  friend bool operator==(const task_handle& h, std::nullptr_t) noexcept { return h.task_ == nullptr; }

  /// For arenas: adds the task to its group, to be called by `place(call)`. The handle is empty afterwards.
  template <class Place>
  void add_in(Place place);

 private:
  friend class task_group;

  class deferred {
   public:
    explicit deferred(tine::task_group& of) noexcept : of_{of} { of.hold(); }
    virtual ~deferred() { of_.release(); }  // after the function, and all that it holds, is gone
    deferred(const deferred&) = delete;
    deferred& operator=(const deferred&) = delete;
    virtual void call() = 0;

   private:
    tine::task_group& of_;
  };
  template <class F>
  class call_of final : public deferred {
   public:
    call_of(tine::task_group& of, F&& f) : deferred{of}, function_(std::move(f)) {}
    void call() override { function_(); }

   private:
    F function_;
  };

  task_handle(task_group& of, std::unique_ptr<deferred> t) noexcept : group_{&of}, task_{std::move(t)} {}
  task_group* group_ = nullptr;
  std::unique_ptr<deferred> task_;
};

/// If a task throws, the group is cancelled, and `wait` throws the exception. A cancelled group doesn't start the tasks
/// that have not started, and adds no more until `wait` has returned.
class task_group {
 public:
  task_group() : own_{std::in_place}, context_{*own_} {}
  /// The context must live as long as the group.
  explicit task_group(task_group_context& context) : context_{context} {}
  /// Cancels and joins tasks that have not ended. If there are any, throws `missing_wait`, unless an exception is on
  /// its way already.
  ~task_group() noexcept(false) {
    if (is_joined_.load(std::memory_order_relaxed)) return;  // relaxed: no other thread uses the group
    const bool is_missing = !tasks_->is_empty();
    if (is_missing) context_.cancel_group_execution();
    join_unstopped();
    if (is_missing && std::uncaught_exceptions() == 0) throw missing_wait{};
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  /// Adds a task that calls `f()`. If that returns a task_handle, adds the task of the handle, too.
  template <class F>
    requires std::invocable<std::decay_t<F>&>
  void run(F&& f) {
    add_task(tasks(), [this, f = std::decay_t<F>(std::forward<F>(f))]() mutable { call(f); });
  }
  void run(task_handle&& h) {
    add_task(tasks(), [task = std::move(h.task_)] { task->call(); });
  }

  template <class F>
    requires std::invocable<std::decay_t<F>&>
  task_handle defer(F&& f) {
    auto task = [this, f = std::decay_t<F>(std::forward<F>(f))]() mutable { call(f); };
    return task_handle{*this, std::make_unique<task_handle::call_of<decltype(task)>>(tasks(), std::move(task))};
  }

  /// Returns when all tasks have ended.
  task_group_status wait() {
    return wait_after([] {});
  }
  /// Calls `f()`, and returns when all tasks have ended.
  template <class F>
    requires std::invocable<const F&>
  task_group_status run_and_wait(const F& f) {
    return wait_after([&] { call(f); });
  }
  task_group_status run_and_wait(task_handle&& h) {
    return wait_after([&] {
      const auto task = std::move(h.task_);  // it ends before the wait
      task->call();
    });
  }

  void cancel() { context_.cancel_group_execution(); }

 private:
  friend class task_handle;

  tine::task_group& tasks() {
    // pairs with the store in open, so that we see the group
    if (!is_open_.load(std::memory_order_acquire)) open();
    // relaxed, both: only the destructor relies on it
    if (is_joined_.load(std::memory_order_relaxed)) is_joined_.store(false, std::memory_order_relaxed);
    return *tasks_;
  }
  void open() {
    const std::lock_guard alone{lock_};
    if (is_open_.load(std::memory_order_relaxed)) return;  // relaxed: under the lock
    tasks_.emplace(context_.flag(), context_.is_isolated(), tine::group_thread::never);
    is_open_.store(true, std::memory_order_release);  // pairs with the load in tasks
  }

  template <class F>
  void call(F& f) {
    if (context_.is_group_execution_cancelled()) return;
    try {
      if constexpr (std::same_as<std::invoke_result_t<F&>, task_handle>) {
        if (task_handle next = f()) run(std::move(next));
      } else {
        static_cast<void>(f());
      }
    } catch (const tine::stopped&) {
      throw;
    } catch (...) {
      first_.set(std::current_exception());
      context_.cancel_group_execution();
    }
  }

  /// One thread at a time waits.
  template <class F>
  task_group_status wait_after(F&& f) {
    const std::lock_guard alone{waiting_};
    bool has_ended = false;
    const auto joined = [&] {
      f();
      if (is_open_.load(std::memory_order_acquire)) {       // pairs with the store in open
        is_joined_.store(true, std::memory_order_relaxed);  // relaxed: as in tasks. First: the tasks may add some
        tasks_->wait();
      }
      has_ended = true;
    };
    try {
      context_.run(joined);
    } catch (...) {  // not of a task: tine itself has thrown it, e.g. tine::stopped
      context_.cancel_group_execution();
      join_unstopped();
      context_.reset();
      throw;
    }
    if (has_ended && !context_.is_group_execution_cancelled()) [[likely]]
      return complete;
    if (!has_ended) {
      context_.cancel_group_execution();
      join_unstopped();
    }
    context_.reset();
    first_.rethrow();
    return canceled;
  }

  /// Joins the tasks although the calling strand is to stop. Those of a cancelled group don't do anything.
  void join_unstopped() noexcept {
    if (!is_open_.load(std::memory_order_acquire)) return;  // pairs with the store in open
    tine::run([this] {
      tine::unstoppable([this] {
        try {
          tasks_->wait();
        } catch (const tine::stopped&) {
        }
      });
    });
  }

  std::optional<task_group_context> own_;
  task_group_context& context_;
  first_exception first_;
  tine::mutex lock_, waiting_;
  std::atomic<bool> is_open_{false}, is_joined_{true};
  std::optional<tine::task_group> tasks_;
};

/// A group whose tasks run under `isolated`, and so do the calls that add them and wait for them. So a thread that
/// waits for the group, or inside of one of its tasks, takes no work from outside. Tasks that are added under
/// `isolated` are in the list of the group, and its waiter finds all that have not started.
class isolated_task_group : public task_group {
 public:
  using task_group::task_group;

  template <class F>
    requires std::invocable<std::decay_t<F>&>
  void run(F&& f) {
    under_isolation([&] { task_group::run(isolating(std::forward<F>(f))); });
  }
  void run(task_handle&& h) {
    under_isolation([&] { task_group::run(std::move(h)); });
  }
  template <class F>
    requires std::invocable<std::decay_t<F>&>
  task_handle defer(F&& f) {
    return task_group::defer(isolating(std::forward<F>(f)));
  }
  task_group_status wait() {
    return under_isolation([&] { return task_group::wait(); });
  }
  template <class F>
    requires std::invocable<const F&>
  task_group_status run_and_wait(const F& f) {
    return under_isolation([&] { return task_group::run_and_wait(f); });
  }

 private:
  template <class F>
  struct isolated_call {
    F function;
    auto operator()() { return isolated(function); }
  };

  template <class F>
  static isolated_call<std::decay_t<F>> isolating(F&& f) {
    return {std::forward<F>(f)};
  }
  /// Returns what `f` returns.
  template <class F>
  static std::invoke_result_t<F&> under_isolation(F f) {
    return isolated(f);
  }
};

template <class Place>
void task_handle::add_in(Place place) {
  add_task(group_->tasks(), [place, task = std::move(task_)] { place([&] { task->call(); }); });
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::canceled;
using detail::on_tine::complete;
using detail::on_tine::missing_wait;
using detail::on_tine::not_complete;
using detail::on_tine::task_group;
using detail::on_tine::task_group_status;
using detail::on_tine::task_handle;
#if TBB_PREVIEW_ISOLATED_TASK_GROUP
using detail::on_tine::isolated_task_group;
#endif
}  // namespace v1
}  // namespace tbb
