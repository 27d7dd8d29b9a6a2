// A loop with a result, in the C interface: the results of subranges are combined in the order of the iterations. Any
// thread may call it.
#pragma once

#include <tine/c/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Adds the iterations from `begin` up to, but not including, `end` to the value at `so_far`.
typedef int (*tine_fold)(void* data, int64_t begin, int64_t end, void* so_far);

/// Adds the value at `later`, which comes from later iterations, to the one at `so_far`.
typedef int (*tine_combine)(void* data, void* so_far, const void* later);

/// Leaves in `*result` the value of the loop from `begin` up to, but not including, `end`. A value has `size` bytes,
/// which are copied as by memcpy, and is aligned as malloc's memory is. Each series of subranges on one worker starts
/// with a copy of `*identity`, which must be neutral on the left. `fold` is called for consecutive subranges, and
/// `combine` joins two consecutive series. So `combine` must be associative, but need not be commutative. A sum of
/// floating-point numbers depends on the grouping, and so on the schedule.
///
/// Everything else is as in tine_par_for. If the function fails, `*result` is left as it was; otherwise an empty loop
/// gives `*identity`. `result` may be `identity`. One value is allocated for each series.
TINE_API int tine_par_reduce(int64_t begin, int64_t end, size_t size, const void* identity, void* result,
                             tine_fold fold, tine_combine combine, void* data);

#ifdef __cplusplus
}
#endif
