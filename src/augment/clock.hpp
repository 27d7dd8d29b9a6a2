// The clock of strands: ticks in which the strand's thread ran.
#pragma once

#include <tine/base/clock.hpp>

namespace tine::detail {

/// Now, for the thread that runs. Differences mean something between two readings of one thread only; between them, time that
/// the system gave to other threads is left out if there is enough of it to matter.
base::ticks strand_now() noexcept;

/// The same where the thread may have been without work since its last reading.
base::ticks strand_now_after_rest() noexcept;

}  // namespace tine::detail
