// How the C interface calls callbacks, and how exceptions become statuses at its border: no exception crosses it in
// either direction. A call touches only its own thread's message.
#pragma once

#include <tine/c/status.h>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/scope.hpp>

#include <array>
#include <exception>

namespace tine::detail::c {

/// The longest message of a failure, with its end.
inline constexpr std::size_t message_bytes = 256;

/// Thrown where a callback has failed: tine joins, drops and stops branches for exceptions. It carries the message to
/// the thread of the function that returns the status.
class failure final : public std::exception {
 public:
  failure(int status, const char* message) noexcept;
  int status() const noexcept { return status_; }
  const char* what() const noexcept override { return message_.data(); }

 private:
  int status_;
  std::array<char, message_bytes> message_;
};

/// Throws what stands for the status of a callback that has failed.
[[noreturn]] TINE_COLD void fail(int status);

/// Called in the handler of an exception that a callback has thrown. Throws what stands for it.
[[noreturn]] TINE_COLD void fail_by_exception();

/// Called in a handler at the border: keeps the message of the exception, and returns its status.
TINE_COLD int status_of_exception() noexcept;

/// Keep a message, and return their status.
TINE_COLD int refuse(const char* message) noexcept;
TINE_COLD int refuse_here(const char* message) noexcept;

/// Returns what the callback returns.
template <class... Args>
TINE_ALWAYS_INLINE int called(int (*function)(Args...), Args... args) {
  try {
    return function(args...);
  } catch (...) {
    fail_by_exception();
  }
}

/// A callback as a branch of tine's.
struct branch {
  tine_function function;
  void* data;

  TINE_ALWAYS_INLINE void operator()() const {
    if (const int status = called(function, data); status != tine_ok) [[unlikely]]
      fail(status);
  }
};

/// Returns the status of `f()`, which throws if it fails.
template <class F>
TINE_ALWAYS_INLINE int status_of(const F& f) noexcept {
  try {
    f();
    return tine_ok;
  } catch (...) {
    return status_of_exception();
  }
}

/// As status_of, for functions that run one callback.
template <class F>
int status_of_call(tine_function function, void* data, const F& f) noexcept {
  if (function == nullptr) return refuse("the function is a null pointer: give one to call.");
  return status_of([&] { f(branch{function, data}); });
}

}  // namespace tine::detail::c
