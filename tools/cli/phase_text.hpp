// The table of phases in a report.
#pragma once

#include "cli/load.hpp"
#include "cli/palette.hpp"

#include <cstddef>
#include <string>

namespace tine::cli {

/// Returns the table, with the phases in the order in which they were first opened; an empty text if the program names
/// none. Linear in the size of the profile for each phase, so only the first phases are shown.
std::string phase_text(const loaded& l, std::size_t width, const palette& paint);

}  // namespace tine::cli
