// Collapsed stacks, as Brendan Gregg's flamegraph.pl reads them: frames joined by semicolons, a space, a number.
#include "cli/formats/formats.hpp"
#include "cli/formats/stacks.hpp"

#include <algorithm>

namespace tine::cli {
namespace {

std::string frame(std::string name) {
  std::ranges::replace(name, ';', ':');
  return name;
}

}  // namespace

std::string to_collapsed(const loaded& l) {
  std::vector<std::string> names;
  for (std::uint32_t site = 0; site < l.profile.sites.size(); ++site) names.push_back(frame(label(l.summary, site)));
  const stack_totals totals = totals_of_stacks(l.profile.paths);
  std::string out;
  for (std::uint32_t i = 0; i < l.profile.paths.size(); ++i) {
    if (totals.work[i] == 0) continue;
    out += "root";
    for (const std::uint32_t site : stack_of(l.profile.paths, i)) out += ";" + names[site];
    out += " " + std::to_string(totals.work[i]) + "\n";
  }
  for (const report::sampled_function& f : l.summary.sampled.functions)
    out += "outside of roots;" + frame(f.label) + " " + std::to_string(f.time) + "\n";
  return out;
}

}  // namespace tine::cli
