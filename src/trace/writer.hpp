// Writes a profile to a file. Part of the runtime, which calls it while the process ends: it needs nothing but the C and the
// C++ library, and nothing in it throws.
#pragma once

#include "trace/profile.hpp"

#include <string>

namespace tine::trace {

/// Writes `p` to the file `path`, under a temporary name beside it that is renamed at the end, so that nobody ever sees half
/// a profile. (What is there and is no ordinary file, as /dev/stdout, is written to as it is.) Returns what went wrong, with
/// the path and the system's reason; an empty string if nothing did. Takes memory for the largest list of `p`.
std::string write(const profile& p, const std::string& path) noexcept;

}  // namespace tine::trace
