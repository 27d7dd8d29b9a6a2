// Merging: it makes a schedule without the steals that moved nothing.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstddef>

namespace tine::detail {

/// Returns the schedule of a relaxed replay in the form that the next replay is to follow. If a part has an owner, and
/// the same worker ran it and the part before it, both become one part. If more than `most` steals are left, the lowest
/// steals are pruned. Without merging and pruning, each replay would follow the steals of all replays before and add
/// its own.
schedule merged(const schedule& s, std::size_t most);

}  // namespace tine::detail
