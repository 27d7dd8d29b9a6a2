// The serial order of a run whose strands overlapped.
#pragma once

#include <tine/replay/schedule.hpp>

namespace tine::detail {

/// Returns the schedule with first branches that wait: a first branch that was still running when the strand of the
/// stolen second branch ended begins after that strand. So a serial replay has the order of ends, where that of begins
/// says nothing about it.
schedule ordered_by_ends(const schedule& s);

}  // namespace tine::detail
