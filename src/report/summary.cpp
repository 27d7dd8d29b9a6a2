// The totals of a profile, and everything else put beside them.
#include "report/summary.hpp"

#include "report/passes.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace tine::report {
namespace {

std::uint64_t end_of(const trace::root& r) { return sum(r.begin, r.wall); }

std::vector<const trace::root*> by_begin(const std::vector<trace::root>& roots) {
  std::vector<const trace::root*> sorted;
  for (const trace::root& r : roots) sorted.push_back(&r);
  std::sort(sorted.begin(), sorted.end(),
            [](auto* a, auto* b) { return std::tie(a->begin, a) < std::tie(b->begin, b); });
  return sorted;
}

using roots_by_begin = std::vector<const trace::root*>;

// The heaviest chain of roots each of which began after the one before had ended, weighed by `span`.
std::uint64_t heaviest_chain(const roots_by_begin& roots, std::uint64_t trace::totals::* span) {
  using ended = std::pair<std::uint64_t, std::uint64_t>;  // when a root ended, and the heaviest chain that ends with it
  std::priority_queue<ended, std::vector<ended>, std::greater<>> running;
  std::uint64_t finished = 0, heaviest = 0;
  for (const trace::root* r : roots) {
    for (; !running.empty() && running.top().first <= r->begin; running.pop()) {
      finished = std::max(finished, running.top().second);
    }
    const std::uint64_t chain = sum(finished, r->all.*span);
    running.push({end_of(*r), chain});
    heaviest = std::max(heaviest, chain);
  }
  return heaviest;
}

// The time in which no root ran.
std::uint64_t time_outside(const roots_by_begin& roots, std::uint64_t wall) {
  std::uint64_t inside = 0, covered_to = 0;
  for (const trace::root* r : roots) {
    const std::uint64_t from = std::max(r->begin, covered_to);
    const std::uint64_t to = std::max(from, end_of(*r));
    inside = sum(inside, to - from);
    covered_to = to;
  }
  return wall > inside ? wall - inside : 0;
}

void add_roots(summary& s, const trace::profile& p) {
  const roots_by_begin roots = by_begin(p.roots);
  for (const trace::root& r : p.roots) {
    s.roots.work = sum(s.roots.work, r.all.work);
    s.forks = sum(s.forks, r.all.forks);
    s.loops = sum(s.loops, r.all.loops);
    s.iterations = sum(s.iterations, r.all.iterations);
    s.serial = sum(s.serial, r.serial);
  }
  s.roots.span_low = heaviest_chain(roots, &trace::totals::span_low);
  s.roots.span_high = heaviest_chain(roots, &trace::totals::span_high);
  s.roots.burdened_span = heaviest_chain(roots, &trace::totals::burdened_span);
  s.outside = time_outside(roots, p.run.wall);
}

extent with_serial(extent e, std::uint64_t serial) {
  return {sum(e.work, serial), sum(e.span_low, serial), sum(e.span_high, serial), sum(e.burdened_span, serial), serial};
}

cost costs_of(const summary& s) {
  const double forks = static_cast<double>(s.forks), loops = static_cast<double>(s.loops);
  cost c;
  c.forking = forks * s.run.fork_cost;
  c.profiling = forks * s.run.profiled_fork_cost + loops * s.run.profiled_loop_cost;
  if (s.roots.work != 0) {
    c.forking_share = c.forking / static_cast<double>(s.roots.work);
    c.profiling_share = c.profiling / static_cast<double>(s.roots.work);
  }
  return c;
}

void add_sites(summary& s, const trace::profile& p) {
  s.sites = rows_of_sites(p);
  for (site_row& row : s.sites) {
    row.work_share = ratio(row.work, s.roots.work);
    if (s.critical) row.span_share = ratio(s.critical->by_site[row.site], s.critical->length);
    s.offered = sum(s.offered, p.sites[row.site].offered);
    s.taken = sum(s.taken, p.sites[row.site].taken);
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

summary summarise(const trace::profile& p, std::vector<place> places) {
  summary s;
  s.run = p.run;
  add_roots(s, p);
  s.process = with_serial(s.roots, s.outside);
  s.serial = sum(s.serial, s.outside);
  s.serial_share = std::min(1.0, ratio(s.serial, s.process.work));
  if (!p.nodes.empty()) s.critical = find_critical_path(p);
  add_sites(s, p);
  add_places(s, p, std::move(places));
  s.costs = costs_of(s);
  return s;
}

}  // namespace tine::report
