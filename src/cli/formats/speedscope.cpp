// speedscope's own format: a sampled profile, each fork path one sample weighed by its work
// (https://www.speedscope.app/file-format-schema.json).
#include "cli/formats/formats.hpp"
#include "cli/formats/stacks.hpp"

#include <nlohmann/json.hpp>

namespace tine::cli {
namespace {

using nlohmann::ordered_json;

// Frame 0 is the root, and site i is frame i + 1.
ordered_json frames(const loaded& l) {
  ordered_json all = ordered_json::array({{{"name", "root"}}});
  for (const report::place& where : l.summary.places) {
    ordered_json frame{{"name", where.name()}};
    if (!where.at.file.empty()) frame["file"] = where.at.file;
    if (where.at.line != 0) frame["line"] = where.at.line;
    all.push_back(std::move(frame));
  }
  return all;
}

}  // namespace

std::string to_speedscope(const loaded& l) {
  ordered_json samples = ordered_json::array(), weights = ordered_json::array();
  const stack_totals totals = totals_of_stacks(l.profile.paths);
  std::uint64_t all = 0;
  for (std::uint32_t i = 0; i < l.profile.paths.size(); ++i) {
    if (totals.work[i] == 0) continue;
    ordered_json stack = ordered_json::array({0});
    for (const std::uint32_t site : stack_of(l.profile.paths, i)) stack.push_back(site + 1);
    samples.push_back(std::move(stack));
    weights.push_back(totals.work[i]);
    all += totals.work[i];
  }
  ordered_json out;
  out["$schema"] = "https://www.speedscope.app/file-format-schema.json";
  out["exporter"] = "tine " + l.profile.run.version;
  out["name"] = l.profile.run.command;
  out["shared"]["frames"] = frames(l);
  out["profiles"].push_back({{"type", "sampled"},
                             {"name", "work by fork path"},
                             {"unit", "nanoseconds"},
                             {"startValue", 0},
                             {"endValue", all},
                             {"samples", std::move(samples)},
                             {"weights", std::move(weights)}});
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tine::cli
