// Merging: a schedule without the steals that moved nothing.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstddef>

namespace tine::detail {

/// The schedule of a relaxed replay as the next one is to follow it. A part that was given away, and that the worker ran which ran what
/// comes before it, is no part of its own any more. If more than `most` steals are left, the lowest are
/// pruned. Without both, each replay would follow the steals of all before and add its own.
schedule merged(const schedule& s, std::size_t most);

}  // namespace tine::detail
