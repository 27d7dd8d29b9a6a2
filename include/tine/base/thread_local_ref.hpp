// thread_local_ref: a thread-local variable of the thread that runs now.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <type_traits>

namespace tine {

/// Returns what `get()` returns, usually a reference to a thread_local, computed for the thread that runs now. In
/// position-independent code compilers compute the address of a thread_local once for a function and keep it, even over
/// calls. After a co_await, which may continue on another thread, this is then the address of another thread's
/// variable. `thread_local_ref` is never inlined, so each call computes the address anew.
///
///     thread_local statistics mine;
///     tine::thread_local_ref([]() -> statistics& { return mine; }).count += 1;
///
/// The reference is good until the strand's next fork, join or co_await. Use it in coroutines, and in plain functions
/// only if `options::resume` of their pool is not `resume_policy::same_thread`.
template <class Get>
TINE_NOINLINE std::invoke_result_t<Get&> thread_local_ref(Get get) noexcept(std::is_nothrow_invocable_v<Get&>) {
  asm volatile("" ::: "memory");  // otherwise the compiler might make one call of two
  return get();
}

}  // namespace tine
