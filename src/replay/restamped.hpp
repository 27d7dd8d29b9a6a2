// The stamps of a schedule from which parts were removed. A plain function of a value.
#pragma once

#include <tine/replay/schedule.hpp>

namespace tine::detail {

/// Returns the schedule with its stamps in an order in which its strands can start. If strands were merged into others,
/// such a strand comes to its later forks only after its earlier ones; the stamps are from a run in which several
/// strands did that. If the strands can start in the order of their stamps, the stamps stay.
schedule restamped(const schedule& s);

}  // namespace tine::detail
