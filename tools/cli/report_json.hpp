// A profile's figures as JSON for scripts.
#pragma once

#include "cli/load.hpp"

#include <cstddef>
#include <string>

namespace tine::cli {

/// Returns the figures of the report, with at most `sites` sites. Times are nanoseconds, shares are of 1, memory is
/// bytes; a figure that was not measured is absent. `file`: as for `answer_of`.
std::string report_json(const loaded& l, const std::string& file, std::size_t sites);

}  // namespace tine::cli
