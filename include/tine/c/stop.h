// Stops of the C interface: a request reaches everything that a function has forked, on all workers. Any thread may ask
// for a stop.
#pragma once

#include <tine/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Can be asked to stop, once, as a `std::stop_source`.
typedef struct tine_stop_source tine_stop_source;

/// Makes a stop source, and leaves it in `*created`, or null if the function fails.
TINE_API int tine_stop_source_create(tine_stop_source** created);

/// Frees the stop source, and sets `*source` to null. Calls of tine_run_stoppable that use it run on.
TINE_API int tine_stop_source_destroy(tine_stop_source** source);

/// Asks for a stop, and returns at once; later requests have no effect. Any number of threads may call it. Don't call
/// it in a signal handler.
TINE_API int tine_stop_source_request(tine_stop_source* source);

/// Runs `f(data)` as tine_run does, until `source` is asked to stop. From then on, every function of tine that forks,
/// loops or adds a task returns `tine_stopped`, in everything that `f` has forked. Callbacks that haven't started don't
/// start, and all others are joined, as always. Code that doesn't call tine isn't stopped, but may call
/// tine_is_stopping. Returns what `f` returns, or `tine_stopped` if it didn't start.
TINE_API int tine_run_stoppable(tine_stop_source* source, tine_function f, void* data);

/// Returns 1 if the calling code is to stop, 0 if not. Takes a few nanoseconds.
TINE_API int tine_is_stopping(void);

/// Runs `f(data)`, whose forks and loops no request from outside stops, and returns what it returns: for code that must
/// end what it has begun.
TINE_API int tine_unstoppable(tine_function f, void* data);

#ifdef __cplusplus
}
#endif
