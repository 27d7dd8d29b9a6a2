// The timeline of a profile as Chrome's trace events.
#pragma once

#include "cli/load.hpp"

#include <nlohmann/json.hpp>

namespace tine::cli {

/// Adds the events of the timeline as process `process`: a thread for each worker, with a slice for each time in one
/// state, arrows from the promotion of a task to the steal, marks, and counters. The profile must have a timeline.
void add_timeline_events(nlohmann::ordered_json& events, const loaded& l, int process);

}  // namespace tine::cli
