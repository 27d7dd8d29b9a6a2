// Finds the source of a profile's sites, from the debug information of the files that were mapped when it was written.
#pragma once

#include "report/place.hpp"
#include "trace/profile.hpp"

#include <string>
#include <vector>

namespace tine::report {

/// One place for each site of `p`. A module that is missing, stripped or no longer the one that ran (its build id tells)
/// gives places with only a fallback. Slow: it reads debug information, in the order of a second for large programs.
///
/// `skip`: patterns with * and ?, of functions (without the arguments of templates) and of files, with their folders or without. A
/// frame that one of them matches is none of a place's own: it is the program's wrapper of a fork or a loop.
std::vector<place> resolve_sites(const trace::profile& p, const std::vector<std::string>& skip = {});

/// One place for each sample of `p`, as above. Where the function has no debug information, as in the C library, the name shows its caller.
std::vector<place> resolve_samples(const trace::profile& p, const std::vector<std::string>& skip = {});

}  // namespace tine::report
