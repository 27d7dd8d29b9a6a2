// The profile that a part of a run would have left alone: that of a phase, of a call site, or of a stretch of time.
// Every report and prediction follows from it as from any other profile.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tine::report {

/// A part of a run: all that runs below some call sites, or in some phases. One of the lists is empty.
struct part {
  std::vector<bool> sites;   ///< by index into the profile's sites
  std::vector<bool> phases;  ///< by index into the profile's phases
};

/// Returns for each path whether its strands belong to the part.
std::vector<bool> paths_in(const trace::profile& p, const part& what);

/// Returns the name of a phase with those around it: "build / sort".
std::string name_of_phase(const trace::profile& p, std::uint32_t phase);

/// Returns the profile of a phase, with all phases inside of it. `name` is that of a phase, or one with the phases
/// around it, as from `name_of_phase`. Throws std::runtime_error if there is no such phase, or if the profile has not
/// recorded it well enough; the message says what to do.
///
/// The time that threads spent in the phase outside of roots is part of its work and span. We know its sum, and not
/// when it was, so it is divided evenly among the gaps between the roots. Work, forks and iterations are exact.
/// Strands that the dag doesn't resolve are divided as in `changed`, and promotions and steals in proportion to the
/// forks.
trace::profile in_phase(const trace::profile& p, const std::string& name);

/// Returns the profile of all that ran below the sites, without the time between its instances: all other strands take
/// no time. `p` must have nodes; throws std::runtime_error if not.
trace::profile below_sites(const trace::profile& p, const std::vector<std::uint32_t>& sites);

/// Returns the profile of the time from `from` to `to`, in nanoseconds since the start of the process: the roots that
/// began in it, as a whole, and the time outside of roots in it. Figures by call site are estimates, because paths are
/// counted for all roots together: they follow the work of the site in the dag of these roots. Throws
/// std::runtime_error if no root began then.
trace::profile between(const trace::profile& p, std::uint64_t from, std::uint64_t to);

}  // namespace tine::report
