// Chrome's trace events in JSON, which ui.perfetto.dev reads ("Trace Event Format"; times are microseconds). Process 3
// has the workers, if the profile has a timeline. Process 1 has the roots at the times at which they ran. Process 2 has
// the strands of the dag at the times at which they could have run with as many workers as there are strands: its
// length is the span, and its height is the parallelism at that time.
#include "cli/formats/formats.hpp"
#include "cli/formats/timeline_events.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

using nlohmann::ordered_json;

constexpr int measured = 1, unlimited = 2, workers = 3;

double microseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-3; }

struct slice {
  std::uint64_t begin, length;
  ordered_json event;
};

// Gives each slice the lowest track that is free when it begins.
void put_on_tracks(std::vector<slice> slices, int process, ordered_json& events) {
  std::vector<std::size_t> order(slices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair{slices[i].begin, i}; });
  using busy = std::pair<std::uint64_t, int>;
  std::priority_queue<busy, std::vector<busy>, std::greater<>> running;
  std::priority_queue<int, std::vector<int>, std::greater<>> free;
  int tracks = 0;
  for (const std::size_t i : order) {
    slice& s = slices[i];
    for (; !running.empty() && running.top().first <= s.begin; running.pop()) free.push(running.top().second);
    const int track = free.empty() ? ++tracks : free.top();
    if (!free.empty()) free.pop();
    running.push({s.begin + s.length, track});
    s.event["ph"] = "X";
    s.event["pid"] = process;
    s.event["tid"] = track;
    s.event["ts"] = microseconds(s.begin);
    s.event["dur"] = microseconds(s.length);
    events.push_back(std::move(s.event));
  }
}

std::vector<slice> roots(const trace::profile& p) {
  std::vector<slice> slices;
  for (std::size_t i = 0; i < p.roots.size(); ++i) {
    const trace::root& r = p.roots[i];
    slices.push_back(
        {r.begin,
         r.wall,
         {{"name", "root " + std::to_string(i)},
          {"args",
           {{"work_ns", r.all.work}, {"span_ns", r.all.span_high}, {"forks", r.all.forks}, {"threw", r.threw}}}}});
  }
  return slices;
}

// Returns the strands of the dag at the times at which they could have run. A strand lasts as long as its span, and the
// next child of a series begins at the end of the child before, so the children of a series never overlap.
std::vector<slice> strands(const loaded& l) {
  struct open_node {
    bool is_series;
    std::uint32_t missing;
    std::uint64_t begin, end;
  };
  std::vector<open_node> open;
  std::vector<slice> slices;
  std::size_t tree = 0;
  const auto& nodes = l.profile.nodes;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::uint64_t begin = open.empty()            ? l.summary.critical->tree_begins[tree++]
                                : open.back().is_series ? open.back().end
                                                        : open.back().begin;
    if (nodes[i].children == 0) {
      slices.push_back({begin,
                        nodes[i].span,
                        {{"name", label(l.summary, nodes[i].site)},
                         {"args",
                          {{"work_ns", nodes[i].work},
                           {"forks", nodes[i].forks},
                           {"critical", static_cast<bool>(l.summary.critical->goes_through[i])}}}}});
    }
    open.push_back({nodes[i].is == trace::node::shape::series, nodes[i].children, begin,
                    nodes[i].children == 0 ? begin + nodes[i].span : begin});
    while (!open.empty() && open.back().missing == 0) {
      const std::uint64_t end = open.back().end;
      open.pop_back();
      if (open.empty()) break;
      --open.back().missing;
      open.back().end = std::max(open.back().end, end);
    }
  }
  return slices;
}

ordered_json name_of_process(int process, const char* name) {
  return {{"ph", "M"}, {"pid", process}, {"name", "process_name"}, {"args", {{"name", name}}}};
}

}  // namespace

std::string to_perfetto(const loaded& l) {
  ordered_json events = ordered_json::array();
  events.push_back(name_of_process(measured, "roots, as they ran"));
  put_on_tracks(roots(l.profile), measured, events);
  if (l.summary.timeline) add_timeline_events(events, l, workers);
  if (!l.profile.nodes.empty()) {
    events.push_back(name_of_process(unlimited, "strands, with unlimited workers"));
    put_on_tracks(strands(l), unlimited, events);
  }
  ordered_json out;
  out["displayTimeUnit"] = "ns";
  out["otherData"] = {{"command", l.profile.run.command}, {"version", l.profile.run.version}};
  out["traceEvents"] = std::move(events);
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tine::cli
