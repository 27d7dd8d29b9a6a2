// The door to stop tokens: forks, loops and tasks that are stopped from outside, threads that are lent until they are. Apart from
// the others, because <stop_token> takes long to compile.
#pragma once

#include <tine/coro/lend.hpp>
#include <tine/coro/stop.hpp>
#include <tine/sched/stop.hpp>
