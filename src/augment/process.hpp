// The description of a process in its profile.
#pragma once

#include "trace/profile.hpp"

namespace tine::detail {

/// Adds the command, the machine, and the modules that are mapped as code.
void describe_process(trace::profile& into);

}  // namespace tine::detail
