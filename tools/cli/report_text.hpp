// A profile as text for a terminal.
#pragma once

#include "cli/load.hpp"
#include "cli/palette.hpp"

#include <cstddef>
#include <string>

namespace tine::cli {

/// Returns the whole report in lines of at most `width` columns, with at most `sites` sites. The colours mark the
/// headings, and what limits the speed-up.
std::string report_text(const loaded& l, std::size_t width, std::size_t sites, const palette& paint);

}  // namespace tine::cli
