// A schedule as Chrome's trace events in JSON, which ui.perfetto.dev reads ("Trace Event Format"; times are
// microseconds): a thread for each worker, a slice for each strand, and flows from strand to strand.
#include "cli/schedule/paths.hpp"
#include "cli/schedule/schedule_text.hpp"
#include "cli/schedule/timeline.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tine::cli {
namespace {

using nlohmann::ordered_json;

double microseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-3; }

ordered_json event(const char* phase, int worker, std::uint64_t at) {
  return {{"ph", phase}, {"pid", 1}, {"tid", worker}, {"ts", microseconds(at)}};
}

ordered_json slice(const paths& where, const timeline::strand& s) {
  ordered_json e = event("X", s.run.owner, s.run.begin_ns);
  e["dur"] = microseconds(s.run.end_ns - s.run.begin_ns);
  e["name"] = describe(where, s);
  e["args"] = {{"stamp", s.run.stamp}};
  return e;
}

// A flow binds to the slices around its ends. The end of a slice is not in the slice, so the flow begins before it.
void add_flow(const timeline& when, const timeline::arrow& a, ordered_json& events) {
  const schedule::segment &from = when.strands()[a.from].run, &to = when.strands()[a.to].run;
  const std::uint64_t last = std::max(from.begin_ns, from.end_ns - std::min<std::uint64_t>(1, from.end_ns));
  ordered_json begin = event("s", from.owner, std::min(leaves_at(when, a), last));
  ordered_json end = event("f", to.owner, to.begin_ns);
  end["bp"] = "e";
  for (ordered_json* e : {&begin, &end}) {
    (*e)["id"] = to.stamp;
    (*e)["name"] = a.why == timeline::reason::forked ? "forked" : "joined";
    (*e)["cat"] = "schedule";
    events.push_back(std::move(*e));
  }
}

}  // namespace

std::string schedule_perfetto(const schedule& s) {
  const timeline when{s};
  const paths where{s};
  ordered_json events = ordered_json::array();
  for (const worker_row& w : worker_rows(s)) {
    events.push_back({{"ph", "M"},
                      {"pid", 1},
                      {"tid", w.worker},
                      {"name", "thread_name"},
                      {"args", {{"name", "worker " + std::to_string(w.worker)}}}});
  }
  for (const timeline::strand& strand : when.strands()) events.push_back(slice(where, strand));
  for (const timeline::arrow& a : when.arrows()) {
    if (a.why != timeline::reason::awaited) add_flow(when, a, events);
  }
  ordered_json out;
  out["displayTimeUnit"] = "ns";
  out["traceEvents"] = std::move(events);
  return out.dump() + "\n";
}

}  // namespace tine::cli
