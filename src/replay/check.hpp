// What a schedule must fulfil before anything follows it.
#pragma once

#include <tine/replay/schedule.hpp>

namespace tine::detail {

/// Throws std::invalid_argument with the first thing that is wrong.
void check_schedule(const schedule& s);

}  // namespace tine::detail
