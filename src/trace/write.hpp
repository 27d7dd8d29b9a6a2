// Writes a profile to a file. The runtime calls it while the process ends, so it needs only the C and C++ libraries,
// and never throws.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/base/macros.hpp>

#include <string>

namespace tine::trace {

/// Writes `p` to the file `path`, under a temporary name beside it that is renamed at the end, so that no reader ever
/// sees half a profile. (If `path` exists and is not an ordinary file, such as /dev/stdout, we write to it directly.)
/// Returns the problem, with the path and the system's reason; an empty string if there is none. Takes memory for the
/// largest list of `p`.
TINE_API std::string write(const profile& p, const std::string& path) noexcept;

}  // namespace tine::trace
