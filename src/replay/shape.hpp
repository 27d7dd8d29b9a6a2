// The shape key: a number that identifies the program whose forks a schedule describes. Thread-safe.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstdint>

namespace tine::detail {

/// Returns the shape key of this process: a hash of the build id of its executable, or, if it has none, of the file's
/// length and first bytes. Forks have the same numbers only in one build of a program, so the key identifies the build;
/// the input is not part of it. 0: not known.
std::uint64_t shape_of_process() noexcept;

/// Throws schedule_mismatch if another program recorded the schedule.
void check_shape(const schedule& s);

}  // namespace tine::detail
