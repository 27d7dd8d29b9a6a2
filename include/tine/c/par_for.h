// Loops of the C interface, whose iterations may run in parallel. Any thread may call it.
#pragma once

#include <tine/c/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The body of tine_par_for: one iteration. Returns as `tine_function` does.
typedef int (*tine_iteration)(void* data, int64_t i);

/// The body of tine_par_for_chunks: the iterations from `begin` up to, but not including, `end`; never none.
typedef int (*tine_chunk)(void* data, int64_t begin, int64_t end);

/// Calls `body(data, i)` for each i from `begin` up to, but not including, `end`; possibly in parallel. A loop with
/// `end <= begin` is empty. You don't need a grain size: the loop learns how many iterations make a chunk, separately
/// for each `body`, and an idle worker gets half of the iterations that have not started.
///
/// Several workers call `body` at once. On one worker the order is the serial one. If iterations fail, the status of
/// the first of them, in the order of the loop, is returned: all iterations before it run, and later ones that haven't
/// started don't start. Outside of every pool the loop runs in the default pool.
TINE_API int tine_par_for(int64_t begin, int64_t end, tine_iteration body, void* data);

/// As tine_par_for, for bodies that run many iterations at once: `body` is called with subranges that together are all
/// iterations. tine chooses their lengths: from one iteration on they grow until one takes some microseconds, so the
/// partition differs from run to run. A body in C with a loop over its subrange is the fastest form, because the
/// compiler can vectorise that loop.
TINE_API int tine_par_for_chunks(int64_t begin, int64_t end, tine_chunk body, void* data);

#ifdef __cplusplus
}
#endif
