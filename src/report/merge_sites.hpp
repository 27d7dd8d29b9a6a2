// Sites that differ in nothing that can be shown become one.
#pragma once

#include "report/place.hpp"
#include "trace/profile.hpp"

#include <vector>

namespace tine::report {

/// With recorded callers, one place of the program is several sites: tine's own frames, which depend on what was stolen, are among
/// their callers. Merges sites of the same address whose places have the same callers, and the paths that are equal then. Does
/// nothing for a profile without recorded callers. Linear but for look-ups.
void merge_sites(trace::profile& p, std::vector<place>& places);

}  // namespace tine::report
