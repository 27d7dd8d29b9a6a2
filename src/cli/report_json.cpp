// See report_json.hpp.
#include "cli/report_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace tine::cli {
namespace {

using json = nlohmann::ordered_json;

json json_of(const report::extent& e) {
  const auto p = e.parallelism();
  return {{"work_ns", e.work},
          {"span_ns", {{"low", e.span_low}, {"high", e.span_high}}},
          {"burdened_span_ns", e.burdened_span},
          {"parallelism", {{"low", p.low}, {"high", p.high}}},
          {"burdened_parallelism", e.burdened_parallelism()}};
}

json json_of(const report::cost& c) {
  json out{{"forking_ns", c.forking},
           {"forking_share", c.forking_share},
           {"forking_share_is_bound", c.forking_share_is_bound},
           {"profiling_ns", c.profiling},
           {"profiling_share", c.profiling_share}};
  if (!c.doubt.empty()) out["doubt"] = c.doubt;
  return out;
}

json json_of(const trace::space_totals& s) {
  return {{"serial_peak", s.serial_peak}, {"worst_peak", s.worst_peak}, {"left", s.left},
          {"allocations", s.allocations}, {"frees", s.frees},           {"allocated", s.allocated}};
}

json frames(const std::vector<report::frame>& of) {
  json all = json::array();
  for (const report::frame& f : of) all.push_back({{"function", f.function}, {"file", f.file}, {"line", f.line}});
  return all;
}

json json_of(const loaded& l, const report::site_row& row) {
  const trace::site& s = l.profile.sites[row.site];
  const report::place& p = l.summary.place_of(row.site);
  json out{{"function", p.at.function},
           {"file", p.at.file},
           {"line", p.at.line},
           {"callers", frames(p.callers)},
           {"kind", report::name_of(s.kind)},
           {"count", s.count},
           {"work_ns", row.work},
           {"share", row.work_share},
           {"forks", row.forks},
           {"iterations", s.iterations},
           {"offered", s.offered},
           {"taken", s.taken}};
  if (row.work_per_fork) {
    out["work_per_fork_ns"] = row.work_per_fork->nanoseconds;
    out["work_per_fork_is_bound"] = row.work_per_fork->is_bound;
  }
  if (row.span_share) out["span_share"] = *row.span_share;
  if (!l.profile.space.empty()) out["bytes"] = s.bytes;
  return out;
}

json json_of(const report::sampled_time& t, std::uint64_t wall) {
  json out{{"wall_ns", wall}};
  if (!t.problem.empty()) out["problem"] = t.problem;
  if (!t.is_known) return out;
  out["sampled_ns"] = t.all;
  out["unlocated_ns"] = t.unlocated;
  out["functions"] = json::array();
  for (const report::sampled_function& f : t.functions) {
    const report::frame& at = f.where.at;
    out["functions"].push_back({{"name", f.where.name()},
                                {"function", at.function},
                                {"file", at.file},
                                {"line", at.line},
                                {"callers", frames(f.where.callers)},
                                {"time_ns", f.time},
                                {"share", f.share}});
  }
  return out;
}

const char* name_of(trace::ending how) {
  constexpr std::array names{"normal", "exception", "terminated", "signalled", "running"};
  return names[static_cast<std::size_t>(how)];
}

std::uint64_t unfinished(const trace::profile& p) {
  std::uint64_t open = 0;
  for (const trace::root& r : p.roots) open += r.is_open ? r.count : 0;
  return open;
}

}  // namespace

std::string report_json(const loaded& l, std::size_t sites) {
  const report::summary& s = l.summary;
  json out{{"command", s.run.command},
           {"machine", s.run.machine},
           {"workers", s.run.workers},
           {"wall_ns", s.run.wall},
           {"roots", json_of(s.roots)},
           {"process", json_of(s.process)},
           {"ended", name_of(s.run.ended)},
           {"signal", s.run.signal},
           {"unfinished_roots", unfinished(l.profile)},
           {"threshold_ns", s.run.threshold},
           {"serial_share", s.serial_share},
           {"outside", json_of(s.sampled, s.outside)},
           {"forks", s.forks},
           {"loops", s.loops},
           {"iterations", s.iterations},
           {"cost", json_of(s.costs)}};
  if (!s.sites.empty()) {
    out["offered"] = s.offered;
    out["taken"] = s.taken;
  }
  if (!s.serial_bound.empty()) out["serial_bound"] = s.serial_bound;
  if (!l.profile.space.empty()) out["space"] = json_of(l.profile.space.front());
  out["sites"] = json::array();
  for (std::size_t i = 0; i < std::min(sites, s.sites.size()); ++i) out["sites"].push_back(json_of(l, s.sites[i]));
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace tine::cli
