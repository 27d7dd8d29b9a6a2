// The rules that a schedule must fulfil before a replay follows it.
#pragma once

#include <tine/replay/schedule.hpp>

namespace tine::detail {

/// Throws std::invalid_argument with the first rule that the schedule breaks.
void check_schedule(const schedule& s);

}  // namespace tine::detail
