// Merging: removes the steals from a schedule that moved nothing. A plain function of a value.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstddef>
#include <vector>

namespace tine::detail {

/// Prepares what a relaxed replay performed for the next replay. If a part has an owner, but the same worker also ran
/// the part before it, both become one. If more than `most` steals are left, the lowest are pruned. Otherwise each
/// replay would follow the steals of all replays before it and add its own.
///
/// `hinted`: the steps for whose parts the program names workers; empty: none. They stay as they are, because without
/// them the program would place the parts again, perhaps elsewhere.
schedule merged(const schedule& s, std::size_t most, std::vector<bool> hinted = {});

}  // namespace tine::detail
