// What a profile says of its process.
#pragma once

#include "trace/profile.hpp"

namespace tine::detail {

/// The command, the machine, and what is mapped as code.
void describe_process(trace::profile& into);

}  // namespace tine::detail
