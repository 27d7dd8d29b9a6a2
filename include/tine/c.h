// The door of the C interface: forks, loops, roots and pools for C99, and for every language that can call C.
#pragma once

#include <tine/c/par.h>
#include <tine/c/par_for.h>
#include <tine/c/par_reduce.h>
#include <tine/c/pool.h>
#include <tine/c/status.h>
#include <tine/c/stop.h>
#include <tine/c/submit.h>
#include <tine/c/task_group.h>
