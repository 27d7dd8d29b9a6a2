// A profile's figures as JSON for scripts.
#pragma once

#include "cli/load.hpp"

#include <cstddef>
#include <string>

namespace tine::cli {

/// What the report says, with at most `sites` sites. Times are nanoseconds, shares are of 1, memory is bytes; what was not
/// measured is absent.
std::string report_json(const loaded& l, std::size_t sites);

}  // namespace tine::cli
