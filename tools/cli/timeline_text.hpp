// The timeline of a profile as text and as JSON.
#pragma once

#include "cli/load.hpp"
#include "cli/palette.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

namespace tine::cli {

/// Returns the utilisation of the workers, by state, and the longest times in which a worker was idle although there
/// was work; an empty text if the profile has no timeline.
std::string timeline_text(const loaded& l, std::size_t width, const palette& paint = {});

/// Adds the same to the object of the timeline in JSON; does nothing if the profile has no timeline.
void add_timeline(nlohmann::ordered_json& into, const loaded& l);

}  // namespace tine::cli
