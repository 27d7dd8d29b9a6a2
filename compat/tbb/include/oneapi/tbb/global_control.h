// global_control: limits that hold for the whole process. task_scheduler_handle: oneTBB's name for the wish to have no
// worker threads any more. Any thread may make them.
#pragma once

#include <oneapi/tbb/tine/attach.hpp>
#include <oneapi/tbb/tine/first_exception.hpp>
#include <oneapi/tbb/tine/parallelism_limits.hpp>
#include <oneapi/tbb/tine/split.hpp>

#include <cstddef>
#include <new>
#include <stdexcept>
#include <utility>

namespace tbb {
namespace detail {
namespace on_tine {

/// A limit that holds as long as the object lives. If there are several limits of one kind, the strictest one holds:
/// the fewest workers, or the largest stack.
///
/// A limit of the workers holds for algorithms that start outside of every parallel algorithm from then on, and for
/// arenas that are initialised from then on. Algorithms that run keep their workers. Pools for other numbers of
/// workers start when they are first needed, and are kept.
class global_control {
 public:
  enum parameter {
    max_allowed_parallelism,  ///< threads that work, with the calling one
    thread_stack_size,        ///< bytes that a function may use on a worker
    terminate_on_exception,   ///< 1: an exception of a body ends the program; if one object says 1, it holds
  };

  /// Throws std::invalid_argument for a value that cannot be kept to.
  global_control(parameter what, std::size_t value) : what_{what}, value_{value} {
    if (what == max_allowed_parallelism && value == 0) {
      throw std::invalid_argument{"tbb::global_control: max_allowed_parallelism is 0: give 1 or more"};
    }
    if (what == terminate_on_exception) {
      if (value != 0) ++first_exception::fatal;
    } else {
      limits().add(kind(what), value);
    }
  }
  ~global_control() {
    if (what_ != terminate_on_exception) {
      limits().remove(kind(what_), value_);
    } else if (value_ != 0) {
      --first_exception::fatal;
    }
  }
  global_control(const global_control&) = delete;
  global_control& operator=(const global_control&) = delete;

  /// Returns the value that holds.
  static std::size_t active_value(parameter what) {
    if (what == terminate_on_exception) return first_exception::fatal != 0 ? 1 : 0;
    return limits().active(kind(what));
  }

 private:
  using limit = parallelism_limits::limit;
  static parallelism_limits& limits() { return parallelism_limits::of_process(); }
  static limit kind(parameter what) noexcept {
    return what == max_allowed_parallelism ? limit::workers : limit::stack_bytes;
  }

  parameter what_;
  std::size_t value_;
};

/// Thrown by `finalize` inside of a parallel algorithm.
class unsafe_wait : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Stands for the worker threads. tine's threads sleep while there is no work, survive fork(2), and end with the
/// process, so there is nothing to wait for: `finalize` only checks that its caller is no worker.
class task_scheduler_handle {
 public:
  task_scheduler_handle() noexcept = default;  ///< refers to nothing
  explicit(false) task_scheduler_handle(attach) noexcept : is_attached_{true} {}
  ~task_scheduler_handle() = default;
  task_scheduler_handle(task_scheduler_handle&& other) noexcept
      : is_attached_{std::exchange(other.is_attached_, false)} {}
  task_scheduler_handle& operator=(task_scheduler_handle&& other) noexcept {
    std::swap(is_attached_, other.is_attached_);
    return *this;
  }

  explicit operator bool() const noexcept { return is_attached_; }
  void release() noexcept { is_attached_ = false; }

 private:
  friend bool finalize(task_scheduler_handle& handle, const std::nothrow_t&) noexcept {
    return !std::exchange(handle.is_attached_, false) || !tine::this_worker();
  }
  bool is_attached_ = false;
};

/// Returns if the calling thread runs no parallel algorithm. Otherwise throws `unsafe_wait`, or returns false. The
/// handle refers to nothing afterwards.
bool finalize(task_scheduler_handle& handle, const std::nothrow_t&) noexcept;
inline void finalize(task_scheduler_handle& handle) {
  if (!finalize(handle, std::nothrow)) {
    throw unsafe_wait{"tbb::finalize: called inside of a parallel algorithm, whose workers it would wait for"};
  }
}

}  // namespace on_tine
}  // namespace detail

inline namespace v1 {
using detail::on_tine::attach;
using detail::on_tine::finalize;
using detail::on_tine::global_control;
using detail::on_tine::task_scheduler_handle;
using detail::on_tine::unsafe_wait;
}  // namespace v1
}  // namespace tbb
