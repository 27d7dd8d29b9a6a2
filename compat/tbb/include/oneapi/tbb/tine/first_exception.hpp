// The exception that an algorithm or a group rethrows: the first one of those that its bodies have thrown. Any strand
// may set it; the strand that has joined all of them takes it.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace tbb::detail::on_tine {

class first_exception {
 public:
  /// While this isn't 0, the first exception ends the program (`global_control::terminate_on_exception`).
  [[gnu::visibility("default")]] static inline std::atomic<int> fatal{0};

  void set(std::exception_ptr e) noexcept {
    // relaxed: a setting. The exception leaves a noexcept function, so the program ends with its name.
    if (fatal.load(std::memory_order_relaxed) != 0) std::rethrow_exception(std::move(e));
    // relaxed: the join orders the winner's write before `rethrow`
    if (!is_set_.exchange(true, std::memory_order_relaxed)) error_ = std::move(e);
  }
  /// Throws the exception, if there is one. Afterwards there is none.
  void rethrow() {
    is_set_.store(false, std::memory_order_relaxed);  // relaxed: no other strand uses it now
    if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  std::atomic<bool> is_set_{false};
  std::exception_ptr error_;
};

}  // namespace tbb::detail::on_tine
