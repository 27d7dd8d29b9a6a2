// The door to schedules: record which worker ran what, keep and follow that, or choose workers yourself.
#pragma once

#include <tine/detail/base/language.hpp>

#include <tine/coro/fork_on.hpp>
#include <tine/managed/par_on.hpp>
#include <tine/replay/journal.hpp>
#include <tine/replay/record.hpp>
#include <tine/replay/replay_session.hpp>
#include <tine/replay/schedule.hpp>
