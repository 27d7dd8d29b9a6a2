// The site that limits the speed-up most, which `tine check` names and `tine report` marks.
#pragma once

#include "cli/load.hpp"

#include <cstdint>

namespace tine::cli {

/// The site with the largest share of the critical path, where each strand counts for the innermost site around it.
/// Without a dag it is the share of the work.
struct limiting_site {
  std::uint32_t site = trace::nothing;  ///< index into the profile's sites; trace::nothing for strands below no site
  double share = 0;
};

limiting_site limiting_site_of(const loaded& l);

}  // namespace tine::cli
