// Turns a profile and its summary into the JSON that the page reads, and puts it between the page's two halves. The
// JSON follows from the descriptions of the profile and of the views, as do the types that the page is checked with.
#include "report/page.hpp"

#include "report/columns.hpp"
#include "report/object_of.hpp"
#include "report/page/text.hpp"
#include "report/part.hpp"
#include "report/view.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace tine::report {
namespace {

/// Returns the sites in the profile's order, because the indices in points, nodes and paths refer to it.
json sites(const trace::profile& p, const summary& s) {
  json all(json::array_t(p.sites.size()));
  for (const site_row& row : s.sites) all[row.site] = object_of(view_of_site(p, s, row), trace::output::page);
  return all;
}

/// Returns the columns of the lists, which have the same number of rows.
template <class... Row>
json columns_of(const std::vector<Row>&... lists) {
  json columns = json::object();
  (add_columns(columns, lists), ...);
  return columns;
}

json columns_of_sites(const trace::profile& p) {
  std::vector<site_column> columns = columns_with(p.run.analyses);
  std::erase_if(columns, [](const site_column& column) { return column.title.empty(); });
  return object_of(columns, trace::output::page);
}

/// A page with more is slow to load.
constexpr std::size_t most_periods = 100'000;

json workers_of_timeline(const trace::profile& p, const summary& s) {
  std::vector<worker_view> all;
  for (std::uint32_t w = 0; s.timeline && w < s.timeline->times.size(); ++w)
    all.push_back({name_of_worker(p, w), {s.timeline->times[w].begin(), s.timeline->times[w].end()}});
  return object_of(all, trace::output::page);
}

json sites_of_timeline(const summary& s) {
  json all = json::array();
  for (std::uint32_t i = 0; s.timeline && i < s.timeline->sites.size(); ++i) all.push_back(s.timeline->label(i));
  return all;
}

json names_of_phases(const trace::profile& p) {
  json all = json::array();
  for (std::uint32_t i = 0; i < p.phases.size(); ++i) all.push_back(name_of_phase(p, i));
  return all;
}

json data(const trace::profile& p, const summary& s, const job* ranks) {
  json all{{"format", 2},
           {"run", object_of(p.run, trace::output::page)},
           {"analyses", object_of(views_of_analyses(p), trace::output::page)},
           {"totals", object_of(view_of_totals(p, s), trace::output::page)},
           {"prediction", object_of(view_of_prediction(s), trace::output::page)},
           {"simulation", s.simulation ? object_of(*s.simulation, trace::output::page) : json(nullptr)},
           {"answer", s.answer},
           {"columns", columns_of_sites(p)},
           {"sites", sites(p, s)},
           {"phases", names_of_phases(p)},
           {"points", columns_of(p.points, views_of_points(p))},
           {"nodes", columns_of(p.nodes, views_of_nodes(p, s))},
           {"paths", columns_of(p.paths)},
           {"races", object_of(s.races, trace::output::page)},
           {"timeline_workers", workers_of_timeline(p, s)},
           {"timeline_sites", sites_of_timeline(s)},
           {"periods", columns_of(s.timeline ? shown_periods(*s.timeline, most_periods) : std::vector<shown_period>{})},
           {"flows", columns_of(s.timeline && s.timeline->flows.size() <= most_periods ? s.timeline->flows
                                                                                       : std::vector<flow>{})},
           {"job", ranks != nullptr ? object_of(*ranks, trace::output::page) : json(nullptr)}};
  add_single_rows(all, p, trace::output::page);
  return all;
}

void append(std::string& text, std::span<const std::string_view> pieces) {
  for (const std::string_view piece : pieces) text += piece;
}

/// Without `<`, nothing in the JSON can end or nest the element that it stands in; `<` occurs only inside of strings,
/// where the escape means the same.
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

std::string page(const trace::profile& p, const summary& s, const job* ranks) {
  // File names may hold any bytes; bytes that are no UTF-8 become U+FFFD.
  const std::string dumped = data(p, s, ranks).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string text;
  text.reserve(dumped.size() + (std::size_t{1} << 19));
  append(text, text_before_data());
  append_harmless(text, dumped);
  append(text, text_after_data());
  return text;
}

std::string write_page(const trace::profile& p, const summary& s, const std::filesystem::path& file, const job* ranks) {
  const auto failed = [&] { return file.string() + ": " + std::strerror(errno); };
  const std::string text = page(p, s, ranks);
  std::FILE* const out = std::fopen(file.c_str(), "wb");
  if (!out) return failed();
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size() && std::fflush(out) == 0;
  std::string problem = written ? "" : failed();
  if (std::fclose(out) != 0 && problem.empty()) problem = failed();
  return problem;
}

}  // namespace tine::report
