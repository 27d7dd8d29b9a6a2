// The score: schedules that are recorded, kept and followed, and those that the program gives itself.
#pragma once

#include <tine/coro/fork_on.hpp>
#include <tine/managed/owned.hpp>
#include <tine/replay/record.hpp>
#include <tine/replay/schedule.hpp>
