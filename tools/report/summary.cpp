// Computes the summary of a profile: the totals here, the other figures by the passes of root_chain.hpp.
#include "report/summary.hpp"

#include "report/root_chain.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <tuple>
#include <utility>

namespace tine::report {
namespace {

// Returns the time in which no root ran.
std::uint64_t time_outside(const std::vector<trace::root>& roots, std::uint64_t wall) {
  std::uint64_t inside = 0, covered_to = 0;
  for (const std::size_t i : by_begin(roots)) {
    const std::uint64_t from = std::max(roots[i].begin, covered_to);
    const std::uint64_t to = std::max(from, end_of(roots[i]));
    inside = sum(inside, to - from);
    covered_to = to;
  }
  return wall > inside ? wall - inside : 0;
}

void add_roots(summary& s, const trace::profile& p) {
  for (const trace::root& r : p.roots) {
    s.roots.work = sum(s.roots.work, r.all.work);
    s.forks = sum(s.forks, r.all.forks);
    s.loops = sum(s.loops, r.all.loops);
    s.iterations = sum(s.iterations, r.all.iterations);
    s.serial = sum(s.serial, r.serial);
  }
  s.roots.span_low = heaviest_chain(p.roots, &trace::totals::span_low).length;
  s.roots.span_high = heaviest_chain(p.roots, &trace::totals::span_high).length;
  s.roots.burdened_span = heaviest_chain(p.roots, &trace::totals::burdened_span).length;
  s.outside = time_outside(p.roots, p.run.wall);
}

extent with_serial(extent e, std::uint64_t serial) {
  return {sum(e.work, serial), sum(e.span_low, serial), sum(e.span_high, serial), sum(e.burdened_span, serial), serial};
}

std::string bound_by_outside(const summary& s) {
  if (s.roots.work == 0 || ratio(s.outside, s.run.wall) <= most_outside) return {};
  std::ostringstream text;
  text << std::fixed << std::setprecision(2);
  text << "the time outside of roots, " << std::lround(ratio(s.outside, s.run.wall) * 100)
       << " % of the run, makes the program at most " << ratio(s.process.work, s.outside)
       << " times faster on any number of workers";
  if (s.sampled.functions.empty()) return text.str();
  const sampled_function& most = s.sampled.functions.front();
  text << "; " << std::lround(most.share * 100) << " % of its processor time is in " << most.label;
  return text.str();
}

std::string doubt_about(const summary& s, double share) {
  const double every =
      static_cast<double>(s.roots.work) / static_cast<double>(std::max<std::uint64_t>(s.forks + s.loops, 1));
  std::ostringstream text;
  text << "this profile's own cost is " << std::lround(share * 100) << " % of the work that it measured, more than "
       << std::lround(most_profiling_share * 100)
       << " %, so its times say little of the program; a fork or loop has at most " << std::lround(every)
       << " ns of work. Instead, ";
  if (!s.run.burden_is_measured) text << "run `tine calibrate`, because this cost is a usual value, and ";
  if ((s.run.analyses & ~std::uint32_t{trace::work_span}) != 0) {
    text << "profile with `--analyses work,span`, which costs least";
  } else {
    text << "compare the time of the program with TINE_NUM_THREADS=1 with that of its serial version";
  }
  return text.str();
}

cost costs_of(const summary& s) {
  const double forks = static_cast<double>(s.forks), loops = static_cast<double>(s.loops);
  const double work = static_cast<double>(s.roots.work);
  cost c;
  c.forking = forks * s.run.fork_cost;
  c.profiling = forks * s.run.profiled_fork_cost + loops * s.run.profiled_loop_cost;
  if (s.roots.work == 0) return c;
  c.profiling_share = c.profiling / work;
  c.forking_share_is_bound = c.profiling_share > most_profiling_share;
  const double left = c.forking_share_is_bound ? work : work - c.profiling;
  c.forking_share = std::min(c.forking / left, 1.0);
  if (c.profiling_share > most_profiling_share) c.doubt = doubt_about(s, c.profiling_share);
  return c;
}

void add_sites(summary& s, const trace::profile& p) {
  s.sites = rows_of_sites(p);
  for (site_row& row : s.sites) {
    row.work_share = ratio(row.work, s.roots.work);
    if (s.critical) row.span_share = ratio(s.critical->by_site[row.site], s.critical->length);
    s.promoted = sum(s.promoted, p.sites[row.site].promoted);
    s.stolen = sum(s.stolen, p.sites[row.site].stolen);
  }
  std::sort(s.sites.begin(), s.sites.end(),
            [](const auto& a, const auto& b) { return std::tie(b.work, a.site) < std::tie(a.work, b.site); });
}

void add_places(summary& s, const trace::profile& p, std::vector<place> places) {
  s.places = std::move(places);
  s.places.resize(p.sites.size());
  for (std::size_t i = 0; i < s.places.size(); ++i) {
    place& where = s.places[i];
    if (where.fallback.empty()) where.fallback = hexadecimal(p.sites[i].address);
  }
}

}  // namespace

grain grain_of(std::uint64_t work, std::uint64_t forks, double profiling) {
  const double all = static_cast<double>(work), number = static_cast<double>(std::max<std::uint64_t>(forks, 1));
  if (profiling > most_profiling_share * all) return {all / number, true};
  return {(all - profiling) / number, false};
}

summary summarise(const trace::profile& p, std::vector<place> places, std::vector<place> sampled) {
  summary s;
  s.run = p.run;
  add_roots(s, p);
  s.process = with_serial(s.roots, s.outside);
  s.sampled = sampled_outside(p, std::move(sampled));
  s.serial_bound = bound_by_outside(s);
  s.serial = sum(s.serial, s.outside);
  s.serial_share = std::min(1.0, ratio(s.serial, s.process.work));
  if (!p.nodes.empty()) s.critical = find_critical_path(p);
  add_sites(s, p);
  add_places(s, p, std::move(places));
  s.costs = costs_of(s);
  return s;
}

}  // namespace tine::report
