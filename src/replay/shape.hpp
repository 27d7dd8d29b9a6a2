// The shape key: a number that identifies the program whose forks a schedule describes.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstdint>

namespace tine::detail {

/// Returns the shape key of this process: a hash of the build id of its executable, or of the length and the first
/// bytes of the file if it has none. The numbers of a schedule's forks are those of one build of the program; its input
/// is not part of the key. 0: not known.
std::uint64_t shape_of_process() noexcept;

/// Throws schedule_mismatch if the schedule was recorded by another program than this one.
void check_shape(const schedule& s);

}  // namespace tine::detail
