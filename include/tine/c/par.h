// Forks of the C interface: two or more callbacks that may run in parallel. Any thread may call it.
#pragma once

#include <tine/c/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs `f(f_data)` and `g(g_data)`, possibly in parallel, and returns when both have ended. If no worker is idle, `g`
/// runs after `f`, on the calling thread, and the fork costs a few nanoseconds. Outside of every pool it runs in the
/// default pool.
///
/// If `f` fails, its status is returned: `g` doesn't start, or, if another worker runs it, the next function of tine
/// that it calls returns `tine_stopped`. If only `g` fails, its status is returned.
///
/// While the caller waits for `g`, its thread may run other callbacks. So don't hold a lock over the call that one of
/// them takes: see tine_sequential.
TINE_API int tine_par2(tine_function f, void* f_data, tine_function g, void* g_data);

/// A callback, and the pointer that it gets.
struct tine_call {
  tine_function function;  ///< the callback
  void* data;              ///< its argument
};

/// Runs the `n` calls, possibly in parallel, as tine_par2 does: in their order on one worker, and with the status of
/// the first one that fails. They are a tree of forks, so a few long calls are shared well. For many short ones
/// tine_par_for costs less. `n` may be 0; the array must stay as it is until the function returns.
TINE_API int tine_par(const struct tine_call* calls, int64_t n);

/// Runs `f(data)` with every fork and loop inside it sequential, on this thread, and returns what it returns. The place
/// for a lock that you hold over code that forks, and for interpreters whose frames must end in the order of their
/// thread.
TINE_API int tine_sequential(tine_function f, void* data);

/// As tine_sequential, with tine's signal blocked: for code that waits in the kernel, in a call that a signal would end
/// with EINTR. Other workers get the caller's pending forks first. Costs two system calls.
TINE_API int tine_blocking(tine_function f, void* data);

#ifdef __cplusplus
}
#endif
