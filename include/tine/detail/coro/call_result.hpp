// Where a called task leaves its result or its exception for its caller. Both have one address, because the child knows
// only that of its result.
#pragma once

#include <tine/coro/task.hpp>
#include <tine/detail/base/object_at.hpp>

#include <exception>
#include <type_traits>
#include <utility>

namespace tine::detail {

template <class T>
class call_result {  // void, a reference, or a value that needs no destruction
 public:
  call_result() noexcept {}
  ~call_result() {}
  call_result(const call_result&) = delete;
  call_result& operator=(const call_result&) = delete;

  TINE_ALWAYS_INLINE result_slot<T>* where() noexcept { return &slot_; }
  TINE_ALWAYS_INLINE T take() noexcept {
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(*slot_);
    } else if constexpr (!std::is_void_v<T>) {
      return std::move(slot_);
    }
  }
  std::exception_ptr take_error() noexcept {
    std::exception_ptr e = std::move(error_);
    error_.~exception_ptr();
    return e;
  }

 private:
  union {
    result_slot<T> slot_;
    std::exception_ptr error_;
  };
};

template <class T>
  requires(std::is_object_v<T> && !std::is_trivially_destructible_v<T>)
class call_result<T> {
 public:
  eventually<T>* where() noexcept { return &slot_; }
  T take() noexcept(std::is_nothrow_move_constructible_v<T>) { return *std::move(slot_); }
  std::exception_ptr take_error() noexcept { return eventually_access::take_error(slot_); }

 private:
  eventually<T> slot_;
};

/// Throws the exception of a called child.
template <class T>
[[noreturn]] TINE_COLD void rethrow_call(call_result<T>& result) {
  TINE_ASSERT(fiber_state::get<thrown>() == base::to_word(result.where()));
  fiber_state::set<thrown>(0);
  std::rethrow_exception(result.take_error());
}

}  // namespace tine::detail
