// Merging: removes the steals from a schedule that moved nothing. A plain function of a value.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstddef>

namespace tine::detail {

/// Prepares what a relaxed replay performed for the next replay. If a part has an owner, but the same worker also ran
/// the part before it, both become one. If more than `most` steals are left, the lowest are pruned. Otherwise each
/// replay would follow the steals of all replays before it and add its own.
schedule merged(const schedule& s, std::size_t most);

}  // namespace tine::detail
