// The part of the process in its job, for the profile.
#pragma once

#include "trace/profile.hpp"

#include <tine/base/ticks.hpp>

namespace tine::detail {

/// Adds what the process did in a job of several processes, if it is part of one. `began`: when the process started.
void add_job_part(trace::profile& p, base::ticks began);

}  // namespace tine::detail
