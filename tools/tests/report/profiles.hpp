// The profiles that the page is tested with.
#pragma once

#include "report/place.hpp"
#include "report/races.hpp"
#include "trace/profile.hpp"

#include <string>
#include <vector>

namespace tine::tests {

struct named_profile {
  std::string name;  ///< of the page that is written of the profile
  trace::profile profile;
  std::vector<report::place> places;  ///< of its sites
  report::race_sources sources = {};  ///< of its races
};

/// Returns all profiles.
std::vector<named_profile> profiles();

}  // namespace tine::tests
