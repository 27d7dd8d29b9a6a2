// The door to stop tokens: forks, loops and tasks that are stopped from outside, threads that are lent to a pool until
// they are stopped, and waits that a stop ends. It is apart from the other doors, because `<stop_token>` takes long to
// compile.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/coro/call_until_stopped.hpp>
#include <tine/coro/work_for.hpp>
#include <tine/sched/stop.hpp>
#include <tine/sync/condition_variable_any.hpp>
