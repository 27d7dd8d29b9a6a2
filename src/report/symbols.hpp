// Finds the source of a profile's sites, from the debug information of the files that were mapped when it was written.
#pragma once

#include "report/place.hpp"
#include "trace/profile.hpp"

#include <vector>

namespace tine::report {

/// One place for each site of `p`. A module that is missing, stripped or no longer the one that ran (its build id tells)
/// gives places with only a fallback. Slow: it reads debug information, in the order of a second for large programs.
std::vector<place> resolve_sites(const trace::profile& p);

}  // namespace tine::report
