// Turns a profile and its summary into the JSON that the page reads, and puts it between the page's two halves. The names
// in the JSON are those of data.ts.
#include "report/page.hpp"

#include "report/page/text.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace tine::report {
namespace {

using json = nlohmann::json;

constexpr unsigned most_workers = 1024;  // of the prediction

json index(std::uint32_t i) { return i == trace::nothing ? json(nullptr) : json(i); }

/// Returns one member of each row, as a list.
template <class Row, class Of>
json column(const std::vector<Row>& rows, Of of) {
  json values = json::array();
  values.get_ref<json::array_t&>().reserve(rows.size());
  for (const Row& row : rows) values.push_back(of(row));
  return values;
}

json analyses(std::uint32_t bits) {
  json names = json::array();
  for (const trace::analysis_entry& entry : trace::analyses) {
    if ((bits & entry.flag) != 0) names.push_back(entry.name);
  }
  return names;
}

const char* name(trace::ending how) {
  switch (how) {
    case trace::ending::normal:
      return "normal";
    case trace::ending::exception:
      return "exception";
    case trace::ending::signalled:
      return "signalled";
    case trace::ending::running:
      return "running";
    case trace::ending::terminated:
      break;
  }
  return "terminated";
}

json run(const trace::run& r) {
  return {{"command", r.command},         {"version", r.version},
          {"machine", r.machine},         {"measured", analyses(r.analyses)},
          {"workers", r.workers},         {"ended", name(r.ended)},
          {"signal", r.signal},           {"wall", r.wall},
          {"fork_burden", r.fork_burden}, {"burden_is_measured", r.burden_is_measured},
          {"fork_cost", r.fork_cost},     {"profiled_fork_cost", r.profiled_fork_cost},
          {"threshold", r.threshold},     {"asked_threshold", r.asked_threshold}};
}

json work_and_span(const extent& e) {
  return {{"work", e.work}, {"span_low", e.span_low}, {"span_high", e.span_high}, {"burdened_span", e.burdened_span}};
}

json totals(const trace::profile& p, const summary& s) {
  std::size_t threw = 0, calls = 0, unfinished = 0;
  for (const trace::root& root : p.roots) {
    threw += root.threw;
    calls += root.count;
    unfinished += root.is_open ? root.count : 0;
  }
  return {{"roots", work_and_span(s.roots)},
          {"process", work_and_span(s.process)},
          {"calls", calls},
          {"threw", threw},
          {"unfinished", unfinished},
          {"outside", s.outside},
          {"serial", s.serial},
          {"serial_share", s.serial_share},
          {"forks", s.forks},
          {"loops", s.loops},
          {"iterations", s.iterations}};
}

json sampled(const sampled_time& t) {
  return {{"known", t.is_known},
          {"problem", t.problem},
          {"time", t.all},
          {"unlocated", t.unlocated},
          {"functions", column(t.functions, [](const sampled_function& f) {
             return json{
                 {"name", f.where.name()}, {"place", f.where.short_line()}, {"time", f.time}, {"share", f.share}};
           })}};
}

json costs(const cost& c) {
  return {{"forking", c.forking},
          {"forking_share", c.forking_share},
          {"forking_share_is_bound", c.forking_share_is_bound},
          {"profiling", c.profiling},
          {"profiling_share", c.profiling_share},
          {"doubt", c.doubt}};
}

json bounds(const extent& e, const std::vector<unsigned>& workers) {
  return {{"low", column(workers, [&](unsigned n) { return speed_up(e, n).low; })},
          {"high", column(workers, [&](unsigned n) { return speed_up(e, n).high; })}};
}

/// Predicts for every number of workers up to 16, then for eight numbers in each doubling: as dense as a curve needs them.
json prediction(const summary& s) {
  std::vector<unsigned> workers;
  for (unsigned n = 1; n <= most_workers; n += std::max(1u, std::bit_floor(n) / 8)) workers.push_back(n);
  return {{"workers", workers}, {"roots", bounds(s.roots, workers)}, {"process", bounds(s.process, workers)}};
}

json site(const trace::site& counted, const site_row& row, const place& where) {
  const auto chain = column(
      where.chain, [](const frame& f) { return json{{"function", f.function}, {"file", f.file}, {"line", f.line}}; });
  return {{"name", where.name()},
          {"place", where.short_line()},
          {"chain", chain},
          {"kind", name_of(counted.kind)},
          {"count", counted.count},
          {"iterations", counted.iterations},
          {"offered", counted.offered},
          {"taken", counted.taken},
          {"bytes", counted.bytes},
          {"work", row.work},
          {"forks", row.forks},
          {"work_per_fork", row.work_per_fork ? json(row.work_per_fork->nanoseconds) : json(nullptr)},
          {"is_bound", row.work_per_fork && row.work_per_fork->is_bound},
          {"span_share", row.span_share ? json(*row.span_share) : json(nullptr)}};
}

/// Returns the sites in the profile's order, because the indices in points, nodes and paths refer to it.
json sites(const trace::profile& p, const summary& s) {
  json all(json::array_t(p.sites.size()));
  for (const site_row& row : s.sites) all[row.site] = site(p.sites[row.site], row, s.place_of(row.site));
  return all;
}

grain grain_of(const trace::point& p) { return report::grain_of(p.work, p.forks, static_cast<double>(p.profiling)); }

json points(const std::vector<trace::point>& all) {
  using trace::point;
  return {{"site", column(all, [](const point& p) { return index(p.site); })},
          {"phase", column(all, [](const point& p) { return index(p.phase); })},
          {"work", column(all, [](const point& p) { return p.work; })},
          {"span", column(all, [](const point& p) { return p.span; })},
          {"forks", column(all, [](const point& p) { return p.forks; })},
          {"grain", column(all, [](const point& p) { return grain_of(p).nanoseconds; })},
          {"is_bound", column(all, [](const point& p) { return grain_of(p).is_bound ? 1 : 0; })}};
}

json space(const std::vector<trace::space_totals>& measured) {
  if (measured.empty()) return nullptr;
  const trace::space_totals& s = measured.front();
  return {{"serial_peak", s.serial_peak}, {"worst_peak", s.worst_peak}, {"left", s.left},
          {"allocations", s.allocations}, {"frees", s.frees},           {"allocated", s.allocated}};
}

json nodes(const std::vector<trace::node>& all, const summary& s) {
  using trace::node;
  json critical = json::array();
  if (s.critical) {
    for (const bool on : s.critical->goes_through) critical.push_back(on ? 1 : 0);
  }
  return {{"is", column(all, [](const node& n) { return static_cast<unsigned>(n.is); })},
          {"children", column(all, [](const node& n) { return n.children; })},
          {"site", column(all, [](const node& n) { return index(n.site); })},
          {"work", column(all, [](const node& n) { return n.work; })},
          {"span", column(all, [](const node& n) { return n.span; })},
          {"forks", column(all, [](const node& n) { return n.forks; })},
          {"critical", critical}};
}

json paths(const std::vector<trace::path>& all) {
  using trace::path;
  return {{"parent", column(all, [](const path& p) { return index(p.parent); })},
          {"site", column(all, [](const path& p) { return index(p.site); })},
          {"work", column(all, [](const path& p) { return p.work; })},
          {"count", column(all, [](const path& p) { return p.count; })}};
}

json data(const trace::profile& p, const summary& s) {
  return {{"format", 1},
          {"run", run(p.run)},
          {"totals", totals(p, s)},
          {"sampled", sampled(s.sampled)},
          {"cost", costs(s.costs)},
          {"prediction", prediction(s)},
          {"sites", sites(p, s)},
          {"phases", p.phases},
          {"points", points(p.points)},
          {"space", space(p.space)},
          {"nodes", nodes(p.nodes, s)},
          {"paths", paths(p.paths)}};
}

void append(std::string& text, std::span<const std::string_view> pieces) {
  for (const std::string_view piece : pieces) text += piece;
}

/// Without `<`, nothing in the JSON can end or nest the element that it stands in; `<` occurs only inside of strings, where
/// the escape means the same.
void append_harmless(std::string& text, std::string_view dumped) {
  for (const char c : dumped) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
}

}  // namespace

std::string page(const trace::profile& p, const summary& s) {
  // File names may hold any bytes; bytes that are no UTF-8 become U+FFFD.
  const std::string dumped = data(p, s).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string text;
  text.reserve(dumped.size() + (std::size_t{1} << 19));
  append(text, text_before_data());
  append_harmless(text, dumped);
  append(text, text_after_data());
  return text;
}

std::string write_page(const trace::profile& p, const summary& s, const std::filesystem::path& file) {
  const auto failed = [&] { return file.string() + ": " + std::strerror(errno); };
  const std::string text = page(p, s);
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  if (!out) return failed();
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fflush(out) == 0;
  std::string problem = written ? "" : failed();
  if (std::fclose(out) != 0 && problem.empty()) problem = failed();
  return problem;
}

}  // namespace tine::report
