// once_flag and call_once: a function is called once, and others that want to call it meanwhile wait without blocking a
// worker. Any thread may call it.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/lock_listener.hpp>

#include <cstdint>

namespace tine {

class once_flag;

namespace detail {

/// The call that the others wait for. Its destructor tells them how the call ended.
class once_call {
 public:
  explicit once_call(once_flag& flag) noexcept : flag_{flag} {}
  once_call(const once_call&) = delete;
  once_call& operator=(const once_call&) = delete;
  TINE_API TINE_COLD ~once_call();
  void succeed() noexcept { has_succeeded_ = true; }

 private:
  once_flag& flag_;
  bool has_succeeded_ = false;
};

}  // namespace detail

/// As std::once_flag, for `tine::call_once`.
class once_flag {
 public:
  once_flag() noexcept = default;  // may be constinit
  once_flag(const once_flag&) = delete;
  once_flag& operator=(const once_flag&) = delete;

 private:
  friend class detail::once_call;
  template <class F, class... Args>
  friend void call_once(once_flag& flag, F&& f, Args&&... args);

  using word = std::uintptr_t;
  static constexpr word idle = 0;
  static constexpr word running = 1;  // any other value is the address of the waiter that came last
  static constexpr word done = 2;

  /// Returns true if the caller must make the call; false if it has been made. Waits while another party makes it.
  TINE_API TINE_COLD bool begin() noexcept;
  bool wait_for_call() noexcept;
  void end(word as) noexcept;

  base::atomic<word> state_{idle};
};

/// Calls `f(args...)` unless a call with this flag has returned. Parties that come during the call wait for its end,
/// suspended as at `tine::mutex`. If the call throws, its caller gets the exception, and the next party calls its own
/// function. `f` may fork, but must not use the same flag. Thread-safe. Once the flag is set, a call costs two loads.
template <class F, class... Args>
void call_once(once_flag& flag, F&& f, Args&&... args) {
  // acquire pairs with the release in once_flag::end, so that the caller sees what the call wrote
  if (flag.state_.load(base::acquire) == once_flag::done && !detail::are_locks_followed()) [[likely]]
    return;
  if (!flag.begin()) return;
  detail::once_call call{flag};
  static_cast<F&&>(f)(static_cast<Args&&>(args)...);
  call.succeed();
}

}  // namespace tine
