// Roots of the C interface that run without a caller: a handle fetches their status later. Any thread may submit; one
// thread at a time may use a handle.
#pragma once

#include <tine/c/pool.h>
#include <tine/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Refers to a submitted root.
typedef struct tine_handle tine_handle;

/// The class of a submitted root.
enum tine_root_priority {
  tine_normal = 0,  ///< starts when a worker finds nothing to steal
  tine_urgent = 1,  ///< starts before an idle worker takes any other work
};

/// Starts `f(data)` as a root, and returns at once. It runs in the pool that the calling thread works for, or else in
/// the default pool. Leaves a handle in `*submitted`, which you must wait for or detach; null if the function fails,
/// and then nothing runs. `priority` is a `tine_root_priority`. Costs two allocations and a lock. The pool starts one
/// more thread for its first root.
TINE_API int tine_submit(int priority, tine_function f, void* data, tine_handle** submitted);

/// As tine_submit, in that pool.
TINE_API int tine_pool_submit(tine_pool* pool, int priority, tine_function f, void* data, tine_handle** submitted);

/// Waits until the root has ended, and returns what its function returned, or `tine_stopped` if it didn't start or
/// ended by a stop. Frees the handle, and sets `*handle` to null. A worker that waits runs other work meanwhile; any
/// other thread blocks.
TINE_API int tine_handle_wait(tine_handle** handle);

/// Returns 1 if the root has ended, so that tine_handle_wait doesn't wait, and 0 if not; negative: a status.
TINE_API int tine_handle_has_ended(const tine_handle* handle);

/// Asks the root to stop, and returns at once: the next function of tine that it calls returns `tine_stopped`. A root
/// that no worker has started doesn't start.
TINE_API int tine_handle_request_stop(tine_handle* handle);

/// Calls `f(data)` when the root has ended: on the worker that ends it, or here if it has ended already. `f` should do
/// little, e.g. wake an event loop, which then calls tine_handle_wait; it must not throw.
TINE_API int tine_handle_when_ended(tine_handle* handle, void (*f)(void* data), void* data);

/// Lets the root run to its end without a handle: frees it, and sets `*handle` to null. A positive status of its
/// function is dropped. A negative one other than `tine_stopped` ends the program with a message.
TINE_API int tine_handle_detach(tine_handle** handle);

#ifdef __cplusplus
}
#endif
