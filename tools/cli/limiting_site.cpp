// Finds the site that limits the speed-up most.
#include "cli/limiting_site.hpp"

#include <algorithm>
#include <vector>

namespace tine::cli {

limiting_site limiting_site_of(const loaded& l) {
  const report::summary& s = l.summary;
  std::vector<std::uint64_t> own(l.profile.sites.size() + 1);  // the last one is for strands below no site
  const auto slot = [&](std::uint32_t site) { return std::min<std::size_t>(site, l.profile.sites.size()); };
  std::uint64_t whole = 0;
  if (s.critical) {
    for (const report::step& step : s.critical->steps) own[slot(step.site)] += step.length;
    whole = s.critical->length;
  } else {
    for (const trace::path& path : l.profile.paths) own[slot(path.site)] += path.work;
    whole = s.roots.work;
  }
  const auto most = static_cast<std::size_t>(std::max_element(own.begin(), own.end()) - own.begin());
  limiting_site found;
  if (most != l.profile.sites.size()) found.site = static_cast<std::uint32_t>(most);
  if (whole != 0) found.share = static_cast<double>(own[most]) / static_cast<double>(whole);
  return found;
}

}  // namespace tine::cli
