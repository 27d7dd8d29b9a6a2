// See timeline_events.hpp. Times are microseconds. An arrow (phases "s" and "f") needs a slice around each of its ends:
// promotions happen in a slice of running code, and a steal ends in the slice that the stolen strand begins, so the
// arrow ends at that slice's begin.
#include "cli/formats/timeline_events.hpp"

#include "report/timeline.hpp"
#include "trace/description.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tine::cli {
namespace {

using nlohmann::ordered_json;
using kind = trace::timeline_event::kind;
using report::worker_state;

double microseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-3; }

/// Chrome's thread numbers; thread 0 would be left out.
std::uint32_t thread_of(std::uint32_t worker) { return worker + 1; }

class writer {
 public:
  writer(ordered_json& events, const loaded& l, int process)
      : events_{events}, l_{l}, t_{*l.summary.timeline}, process_{process} {}

  void write() {
    events_.push_back(
        {{"ph", "M"}, {"pid", process_}, {"name", "process_name"}, {"args", {{"name", "workers, as they ran"}}}});
    for (std::uint32_t w = 0; w < t_.times.size(); ++w) name_thread(w);
    for (const report::period& p : t_.periods) add_period(p);
    for (std::size_t i = 0; i < t_.flows.size(); ++i) add_flow(i, t_.flows[i]);
    for (const trace::timeline_event& e : l_.profile.timeline_events) add_mark(e);
    for (const report::level& l : t_.levels) add_counters(l);
  }

 private:
  ordered_json event(const char* phase, std::uint32_t worker, std::uint64_t time, std::string name) const {
    return {{"ph", phase},
            {"pid", process_},
            {"tid", thread_of(worker)},
            {"ts", microseconds(time)},
            {"name", std::move(name)}};
  }

  void name_thread(std::uint32_t w) {
    const std::string name = report::name_of_worker(l_.profile, w);
    events_.push_back(
        {{"ph", "M"}, {"pid", process_}, {"tid", thread_of(w)}, {"name", "thread_name"}, {"args", {{"name", name}}}});
    events_.push_back({{"ph", "M"},
                       {"pid", process_},
                       {"tid", thread_of(w)},
                       {"name", "thread_sort_index"},
                       {"args", {{"sort_index", w}}}});
  }

  void add_period(const report::period& p) {
    if (p.is == worker_state::outside) return;
    const bool runs = p.is == worker_state::running;
    ordered_json e = event("X", p.worker, p.begin, runs ? t_.label(p.site) : std::string{name_of(p.is)});
    e["cat"] = runs ? "strand" : "gap";
    e["dur"] = microseconds(p.end - p.begin);
    events_.push_back(std::move(e));
  }

  void add_flow(std::size_t number, const report::flow& f) {
    ordered_json from = event("s", f.from, f.promoted, "steal"), to = event("f", f.to, start_after(f), "steal");
    for (ordered_json* e : {&from, &to}) {
      (*e)["cat"] = "steal";
      (*e)["id"] = number;
    }
    to["bp"] = "e";
    events_.push_back(std::move(from));
    events_.push_back(std::move(to));
  }

  /// Returns the time at which the stolen task begins to run, which is that of the steal if it is not known.
  std::uint64_t start_after(const report::flow& f) const {
    const auto is_before = [](const report::period& p, const std::pair<std::uint32_t, std::uint64_t>& at) {
      return std::pair{p.worker, p.begin} < at;
    };
    auto p = std::lower_bound(t_.periods.begin(), t_.periods.end(), std::pair{f.to, f.stolen}, is_before);
    while (p != t_.periods.end() && p->worker == f.to && p->is != worker_state::running) ++p;
    return p != t_.periods.end() && p->worker == f.to ? p->begin : f.stolen;
  }

  /// Adds a mark for an event that the periods do not show.
  void add_mark(const trace::timeline_event& event_row) {
    constexpr kind marked[] = {kind::promotes,   kind::promotes_late, kind::reclaims, kind::suspends,
                               kind::resumes,    kind::parks,         kind::returns,  kind::lacks_token,
                               kind::interrupts, kind::interrupted,   kind::sleeps,   kind::wakes};
    if (std::ranges::find(marked, event_row.is) == std::end(marked) || event_row.time < t_.begin) return;
    const auto name = trace::names_of<kind>[static_cast<std::size_t>(event_row.is)];
    ordered_json e = event("i", event_row.worker, event_row.time, std::string{name});
    e["s"] = "t";
    if (event_row.is == kind::interrupts) e["args"] = {{"worker", event_row.other}};
    events_.push_back(std::move(e));
  }

  void add_counters(const report::level& l) {
    ordered_json queued = event("C", 0, l.time, "queued tasks"), workers = event("C", 0, l.time, "workers");
    queued["args"] = {{"queued", l.queued}};
    workers["args"] = {{"busy", l.busy}, {"awake without work", l.awake - std::min(l.awake, l.busy)}};
    events_.push_back(std::move(queued));
    events_.push_back(std::move(workers));
  }

  ordered_json& events_;
  const loaded& l_;
  const report::timeline& t_;
  const int process_;
};

}  // namespace

void add_timeline_events(ordered_json& events, const loaded& l, int process) { writer{events, l, process}.write(); }

}  // namespace tine::cli
