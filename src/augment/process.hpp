// How a profile describes its process.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/base/macros.hpp>

#include <string>

namespace tine::detail {

/// Returns the processor's name from /proc/cpuinfo; an empty text if there is none.
std::string processor_name();

/// Adds the command, the machine, and the modules that are mapped as code.
TINE_API void describe_process(trace::profile& into);

}  // namespace tine::detail
