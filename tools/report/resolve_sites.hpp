// Finds the source of a profile's sites, from the debug information of the files that were mapped when it was written.
#pragma once

#include "report/place.hpp"
#include "report/variable.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tine::report {

/// Which frames may be the place of a fork or loop. The others are shown only if there is none.
struct shown_frames {
  /// Patterns with * and ?, for functions (without the arguments of templates) and for files, with their folders or
  /// without: frames that match are the program's wrappers of forks and loops.
  std::vector<std::string> skip;
  /// Frames of known wrappers (trace/wrappers.hpp), and of those that the program names by TINE_WRAPPERS.
  bool wrappers = false;
};

/// Returns one place for each site of `p`. A module that is missing, stripped or no longer the one that ran (by its
/// build id) gives places with only a fallback. Slow: it reads debug information, in the order of a second for large
/// programs.
std::vector<place> resolve_sites(const trace::profile& p, const shown_frames& shown = {});

/// Returns one place for each sample of `p`, as above. If the function has no debug information, as in the C library,
/// the name shows its caller.
std::vector<place> resolve_samples(const trace::profile& p, const shown_frames& shown = {});

/// Returns one place for each of these return addresses, as above.
std::vector<place> resolve_addresses(const trace::profile& p, const std::vector<std::uint64_t>& addresses,
                                     const shown_frames& shown = {});

/// Returns those of the patterns that match no frame of these places.
std::vector<std::string> unmatched(const std::vector<std::string>& patterns, const std::vector<place>& places);

/// Returns one place for each of these stacks: return addresses, innermost first.
std::vector<place> resolve_stacks(const trace::profile& p, const std::vector<std::vector<std::uint64_t>>& stacks);

/// Returns the variable at each address, with a readable name; one without a name for an address in no variable.
std::vector<variable> resolve_variables(const trace::profile& p, const std::vector<std::uint64_t>& addresses);

}  // namespace tine::report
