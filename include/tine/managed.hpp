// The managed front end: plain functions that run sequentially until a worker is idle. This header includes all of it.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/managed/blocking.hpp>
#include <tine/managed/isolate.hpp>
#include <tine/managed/par.hpp>
#include <tine/managed/par_fold.hpp>
#include <tine/managed/par_for.hpp>
#include <tine/managed/par_reduce.hpp>
#include <tine/managed/reproducible.hpp>
#include <tine/managed/sequential.hpp>
#include <tine/managed/spork.hpp>
#include <tine/managed/task_group.hpp>
#include <tine/sched/floating_point_scope.hpp>
#include <tine/sched/per_worker.hpp>
#include <tine/sched/pool.hpp>
#include <tine/sched/stop_flag.hpp>
#include <tine/sched/submit.hpp>
#include <tine/sched/unstoppable.hpp>
