// The races of a run as text for a terminal, and as JSON.
#pragma once

#include "cli/palette.hpp"
#include "cli/race_result.hpp"

#include <string>

namespace tine::cli {

/// The details of the text.
enum class race_details : bool { few, all };

/// Returns the whole report. With all details it has the functions that were inlined at each access, whole paths as far
/// as the profile has them, and the suppressions that suppressed nothing.
std::string race_text(const race_result& result, race_details details, const palette& paint);

/// Returns the same as JSON; a figure that is not known is absent.
std::string race_json(const race_result& result);

}  // namespace tine::cli
