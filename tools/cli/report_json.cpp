// Prints a profile's figures as JSON.
#include "cli/report_json.hpp"

#include "cli/answer.hpp"
#include "cli/timeline_text.hpp"
#include "report/object_of.hpp"
#include "report/view.hpp"

#include <algorithm>
#include <cstddef>

namespace tine::cli {

std::string report_json(const loaded& l, const std::string& file, std::size_t sites) {
  using report::json;
  json out = report::object_of(report::view_of_totals(l.profile, l.summary), trace::output::json);
  if (!l.of.empty()) out["of"] = l.of;
  report::add_single_rows(out, l.profile, trace::output::json);
  const answer found = answer_of(l, file);
  out["answer"] = {{"limit", name_of(found.is)}, {"where", found.where}, {"text", found.text}};
  if (l.summary.timeline) add_timeline(out["timeline"], l);
  if (l.job) out["job"] = report::object_of(*l.job, trace::output::json);
  out["sites"] = json::array();
  for (std::size_t i = 0; i < std::min(sites, l.summary.sites.size()); ++i) {
    const report::site_view view = report::view_of_site(l.profile, l.summary, l.summary.sites[i]);
    out["sites"].push_back(report::object_of(view, trace::output::json));
  }
  if (!l.profile.race.empty()) {
    out["races"] = json::array();
    for (const report::found_race& race : l.summary.races.races)
      out["races"].push_back(report::object_of(race, trace::output::json));
  }
  return report::printed(out);
}

}  // namespace tine::cli
