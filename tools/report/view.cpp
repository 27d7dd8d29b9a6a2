// Derives the reports' figures from a summary.
#include "report/view.hpp"

#include "trace/analyses.hpp"
#include "trace/description.hpp"

#include <algorithm>
#include <bit>

namespace tine::report {
namespace {

constexpr unsigned most_predicted = 1024;  // of the prediction

outside_view view_of_outside(const summary& s) {
  const sampled_time& t = s.sampled;
  outside_view view;
  view.wall = s.outside;
  view.problem = t.problem;
  if (!t.is_known) return view;
  view.sampled = t.all;
  view.unlocated = t.unlocated;
  view.functions.emplace();
  for (const sampled_function& f : t.functions)
    view.functions->push_back({f.where.name(), f.where.short_line(), f.where.at, f.where.callers, f.time, f.share});
  return view;
}

band_view bounds(const extent& e, const std::vector<std::uint32_t>& workers) {
  band_view both;
  for (const std::uint32_t n : workers) {
    const band b = speed_up(e, n);
    both.low.push_back(b.low);
    both.high.push_back(b.high);
  }
  return both;
}

/// Returns the fields of the table `name`, if it is a table with at most one row.
std::vector<figure_view> figures_of(std::string_view name) {
  std::vector<figure_view> figures;
  for (const trace::field& table : trace::tables()) {
    if (table.name != name || !table.at_most_one) continue;
    for (const trace::field& f : trace::row_of(table).fields) figures.push_back({std::string{f.name}, f.of});
  }
  return figures;
}

}  // namespace

totals_view view_of_totals(const trace::profile& p, const summary& s) {
  totals_view view;
  view.run = s.run;
  view.roots = s.roots;
  view.process = s.process;
  for (const trace::root& root : p.roots) {
    view.calls += root.count;
    view.threw += root.threw;
    view.unfinished += root.is_open ? root.count : 0;
  }
  view.serial = s.serial;
  view.serial_share = s.serial_share;
  view.outside = view_of_outside(s);
  view.forks = s.forks;
  view.loops = s.loops;
  view.iterations = s.iterations;
  view.costs = s.costs;
  if (!s.sites.empty()) {
    view.promoted = s.promoted;
    view.stolen = s.stolen;
  }
  view.serial_bound = s.serial_bound;
  return view;
}

site_view view_of_site(const trace::profile& p, const summary& s, const site_row& row) {
  const place& where = s.place_of(row.site);
  site_view view;
  view.name = where.name();
  view.place = where.short_line();
  view.at = where.at;
  view.callers = where.callers;
  view.chain = where.chain;
  view.counted = p.sites[row.site];
  view.work = row.work;
  view.share = row.work_share;
  view.forks = row.forks;
  if (row.work_per_fork) {
    view.work_per_fork = row.work_per_fork->nanoseconds;
    view.work_per_fork_is_bound = row.work_per_fork->is_bound;
  }
  view.span_share = row.span_share;
  if (!p.space.empty()) view.bytes = view.counted.bytes;
  return view;
}

/// Predicts for every number of workers up to 16, then for eight numbers in each doubling: as dense as a curve needs
/// them.
prediction_view view_of_prediction(const summary& s) {
  prediction_view view;
  for (unsigned n = 1; n <= most_predicted; n += std::max(1u, std::bit_floor(n) / 8)) view.workers.push_back(n);
  view.roots = bounds(s.roots, view.workers);
  view.process = bounds(s.process, view.workers);
  return view;
}

std::vector<point_view> views_of_points(const trace::profile& p) {
  std::vector<point_view> all;
  for (const trace::point& point : p.points) {
    const grain g = grain_of(point.work, point.forks, static_cast<double>(point.profiling));
    all.push_back({g.nanoseconds, g.is_bound});
  }
  return all;
}

std::vector<node_view> views_of_nodes(const trace::profile& p, const summary& s) {
  std::vector<node_view> all(p.nodes.size());
  if (!s.critical) return all;
  for (std::size_t i = 0; i < all.size(); ++i) all[i].critical = s.critical->goes_through[i];
  return all;
}

std::vector<analysis_view> views_of_analyses(const trace::profile& p) {
  std::vector<analysis_view> all;
  for (const trace::analysis_entry& entry : trace::analyses) {
    const auto is_wanted = [&](const trace::analysis_entry& e) {
      return &e == &entry || (!entry.is_check && e.flag == trace::work_span);
    };
    analysis_view view;
    view.name = entry.name;
    view.command = trace::words_of_analyses(",", is_wanted);
    view.is_measured = (p.run.analyses & entry.flag) != 0;
    view.is_check = entry.is_check;
    view.section = entry.section.id;
    view.title = entry.section.title;
    view.about = entry.section.about;
    view.figures = figures_of(entry.name);
    all.push_back(view);
  }
  return all;
}

}  // namespace tine::report
