// Writes a profile to a file. It is part of the runtime, which calls it while the process ends: it needs only the C and
// the C++ library, and it never throws.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/base/macros.hpp>

#include <string>

namespace tine::trace {

/// Writes `p` to the file `path`, under a temporary name beside it that is renamed at the end, so that no reader ever
/// sees half a profile. (If `path` exists and is no ordinary file, such as /dev/stdout, it is written to directly.)
/// Returns the problem, with the path and the system's reason; an empty string if there is none. Takes memory for the
/// largest list of `p`.
TINE_API std::string write(const profile& p, const std::string& path) noexcept;

}  // namespace tine::trace
