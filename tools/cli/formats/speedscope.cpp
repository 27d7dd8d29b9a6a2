// speedscope's own format: a sampled profile, in which each fork path is one sample, weighted by its work
// (https://www.speedscope.app/file-format-schema.json).
#include "cli/formats/formats.hpp"
#include "cli/formats/stacks.hpp"

#include <nlohmann/json.hpp>

namespace tine::cli {
namespace {

using nlohmann::ordered_json;

// Frame 0 is the root, and site i is frame i + 1. Behind them are the functions that were sampled outside of roots.
ordered_json frame(const report::place& where) {
  ordered_json f{{"name", where.name()}};
  if (!where.at.file.empty()) f["file"] = where.at.file;
  if (where.at.line != 0) f["line"] = where.at.line;
  return f;
}

ordered_json frames(const loaded& l) {
  ordered_json all = ordered_json::array({{{"name", "root"}}});
  for (const report::place& where : l.summary.places) all.push_back(frame(where));
  for (const report::sampled_function& f : l.summary.sampled.functions) all.push_back(frame(f.where));
  return all;
}

ordered_json sampled_profile(const char* name, std::uint64_t all, ordered_json samples, ordered_json weights) {
  return {{"type", "sampled"},
          {"name", name},
          {"unit", "nanoseconds"},
          {"startValue", 0},
          {"endValue", all},
          {"samples", std::move(samples)},
          {"weights", std::move(weights)}};
}

// Returns the samples outside of roots that have a place.
ordered_json outside_of_roots(const loaded& l) {
  ordered_json samples = ordered_json::array(), weights = ordered_json::array();
  std::uint64_t all = 0;
  std::size_t frame = l.summary.places.size() + 1;
  for (const report::sampled_function& f : l.summary.sampled.functions) {
    samples.push_back(ordered_json::array({frame++}));
    weights.push_back(f.time);
    all += f.time;
  }
  return sampled_profile("outside of roots", all, std::move(samples), std::move(weights));
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
  out["profiles"].push_back(sampled_profile("work by fork path", all, std::move(samples), std::move(weights)));
  if (!l.summary.sampled.functions.empty()) out["profiles"].push_back(outside_of_roots(l));
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tine::cli
