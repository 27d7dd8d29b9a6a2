// thread_local_ref: a thread-local variable of the thread that runs now.
#pragma once

#include <tine/base/config.hpp>

#include <type_traits>

namespace tine {

/// Returns what `get()` returns, usually a reference to a thread_local, computed for the thread that runs now. In
/// position-independent code compilers compute the address of a thread_local once for a function and keep it, over calls, too.
/// After a co_await, which may continue on another thread, it is then another thread's variable. This function is never
/// inlined, so the address is computed anew at each call.
///
///     thread_local statistics mine;
///     tine::thread_local_ref([]() -> statistics& { return mine; }).count += 1;
///
/// The reference is good until the strand's next fork, join or co_await. To be used in coroutines, and in plain functions
/// only if `options::resume` of their pool is not `resume_policy::same_thread`.
template <class Get>
TINE_NOINLINE std::invoke_result_t<Get&> thread_local_ref(Get get) noexcept(std::is_nothrow_invocable_v<Get&>) {
  asm volatile("" ::: "memory");  // else two calls might become one
  return get();
}

}  // namespace tine
