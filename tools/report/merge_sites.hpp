// Merges sites that do not differ in anything that the tools can show.
#pragma once

#include "report/place.hpp"
#include "trace/profile.hpp"

#include <vector>

namespace tine::report {

/// With recorded callers, one place of the program is several sites, because tine's own frames, which depend on what
/// was stolen, are among their callers; and in a joined profile it is one for each rank. Merges sites of the same
/// address whose places have the same callers, and the paths that become equal. Does nothing without places. Linear
/// except for look-ups.
void merge_sites(trace::profile& p, std::vector<place>& places);

}  // namespace tine::report
