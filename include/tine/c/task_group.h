// Task groups of the C interface: scopes for tasks whose number isn't known when the scope begins. Any thread may add
// tasks, also the tasks themselves.
#pragma once

#include <tine/c/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A set of tasks that grows while they run.
typedef struct tine_task_group tine_task_group;

/// Makes a group, whose tasks run in the pool that the calling thread works for, or else in the default pool. Leaves it
/// in `*created`, or null if the function fails. Inside a pool, destroy the group in the callback that made it.
TINE_API int tine_task_group_create(tine_task_group** created);

/// Adds a task that calls `f(data)`; an idle worker runs it, or tine_task_group_wait. After a task has failed, later
/// tasks don't start. Returns `tine_stopped`, and adds nothing, if the calling code is to stop. A task costs an
/// allocation and a lock.
TINE_API int tine_task_group_run(tine_task_group* group, tine_function f, void* data);

/// Returns when all tasks have ended, including those that they have added. The status is that of the first of them, in
/// the order in which they were added, that failed. Afterwards the group is empty, and you may use it again. One thread
/// at a time may call it.
TINE_API int tine_task_group_wait(tine_task_group* group);

/// Waits as tine_task_group_wait does, frees the group, and then sets `*group` to null. Returns the status of the wait.
TINE_API int tine_task_group_destroy(tine_task_group** group);

#ifdef __cplusplus
}
#endif
