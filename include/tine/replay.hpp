// Schedules that are recorded, kept and followed, and schedules that the program itself gives.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/coro/fork_on.hpp>
#include <tine/managed/par_on.hpp>
#include <tine/replay/journal.hpp>
#include <tine/replay/record.hpp>
#include <tine/replay/replay_session.hpp>
#include <tine/replay/schedule.hpp>
