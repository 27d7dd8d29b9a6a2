// The serial order of a run whose strands overlapped. A plain function of a value.
#pragma once

#include <tine/replay/schedule.hpp>

namespace tine::detail {

/// Returns the schedule with first branches that wait: if a first branch still ran when the strand of the stolen second
/// branch ended, it starts after that strand. So a serial replay has the order of ends, about which the order of starts
/// says nothing.
schedule ordered_by_ends(const schedule& s);

}  // namespace tine::detail
