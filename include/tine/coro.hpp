// The door to coroutines: tasks that fork, call and join.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/coro/eventually.hpp>
#include <tine/coro/fork.hpp>
#include <tine/coro/join.hpp>
#include <tine/coro/resumption.hpp>
#include <tine/coro/scratch.hpp>
#include <tine/coro/task.hpp>
#include <tine/detail/coro/way_to_run.hpp>
#include <tine/sched/pool.hpp>
#include <tine/sched/submit.hpp>
