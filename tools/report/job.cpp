// Joins the profiles of the ranks of one job.
#include "report/job.hpp"

#include "report/root_chain.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace tine::report {
namespace {

/// Returns the sum of two numbers of bytes, or the largest or smallest number if the sum is out of range.
std::int64_t sum_of_bytes(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t both = 0;
  using limits = std::numeric_limits<std::int64_t>;
  return __builtin_add_overflow(a, b, &both) ? (a < 0 ? limits::min() : limits::max()) : both;
}

const trace::rank_totals& rank_of(const member& m) { return m.profile.rank.front(); }

std::uint64_t first_start(const std::vector<member>& all) {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (const member& m : all) first = std::min(first, rank_of(m).started);
  return first;
}

extent together(const std::vector<member>& all, extent summary::* part) {
  extent e;
  for (const member& m : all) {
    const extent& one = m.summary.*part;
    e.work = sum(e.work, one.work);
    e.span_low = std::max(e.span_low, one.span_low);
    e.span_high = sum(e.span_high, one.span_high);
    e.burdened_span = sum(e.burdened_span, one.burdened_span);
    e.outside = sum(e.outside, one.outside);
  }
  return e;
}

/// Returns the union of the roots' intervals, `later` later.
std::vector<stretch> time_in_roots(const trace::profile& p, std::uint64_t later) {
  std::vector<stretch> each, all;
  for (const trace::root& r : p.roots) each.push_back({sum(r.begin, later), r.wall});
  std::ranges::sort(each, {}, &stretch::begin);
  for (const stretch& s : each) {
    if (!all.empty() && s.begin <= sum(all.back().begin, all.back().wall)) {
      all.back().wall = std::max(all.back().wall, sum(s.begin, s.wall) - all.back().begin);
    } else {
      all.push_back(s);
    }
  }
  return all;
}

/// Moves the addresses of one profile to where the joined profile has the same file.
class mover {
 public:
  mover(trace::profile& into, const trace::profile& from) : from_{from.modules} {
    for (const trace::module& m : from.modules) {
      const auto same = [&](const trace::module& other) {
        return other.path == m.path && other.build_id == m.build_id;
      };
      const auto known = std::ranges::find_if(into.modules, same);
      if (known != into.modules.end()) {
        to_.push_back(known->bias);
        continue;
      }
      std::uint64_t end = 0;
      for (const trace::module& other : into.modules) end = std::max(end, other.end);
      const std::uint64_t by = std::max(end, m.begin) - m.begin;  // beyond all others
      into.modules.push_back({m.path, m.build_id, m.begin + by, m.end + by, m.bias + by});
      to_.push_back(m.bias + by);
    }
  }

  std::uint64_t operator()(std::uint64_t address) const {
    for (std::size_t i = 0; i < from_.size(); ++i) {
      if (address >= from_[i].begin && address < from_[i].end) return address - from_[i].bias + to_[i];
    }
    return address;
  }

 private:
  const std::vector<trace::module>& from_;
  std::vector<std::uint64_t> to_;  ///< the new biases
};

std::uint32_t after(std::uint32_t index, std::size_t rows) {
  return index == trace::nothing ? index : index + static_cast<std::uint32_t>(rows);
}

void append(trace::profile& into, const trace::profile& p, std::uint64_t later) {
  const mover moved{into, p};
  const std::size_t sites = into.sites.size(), paths = into.paths.size(), phases = into.phases.size();
  for (trace::site s : p.sites) s.address = moved(s.address), into.sites.push_back(s);
  for (const trace::caller& c : p.callers) into.callers.push_back({after(c.site, sites), moved(c.address)});
  for (trace::path row : p.paths) {
    row.parent = after(row.parent, paths);
    row.site = after(row.site, sites);
    row.phase = after(row.phase, phases);
    into.paths.push_back(row);
  }
  for (trace::phase row : p.phases) row.parent = after(row.parent, phases), into.phases.push_back(std::move(row));
  for (trace::root row : p.roots) {
    row.begin = sum(row.begin, later);
    row.phase = after(row.phase, phases);
    into.roots.push_back(row);
  }
  for (trace::point row : p.points) {
    row.site = after(row.site, sites);
    row.phase = after(row.phase, phases);
    into.points.push_back(row);
  }
  for (trace::node row : p.nodes) {
    row.site = after(row.site, sites);
    row.phase = after(row.phase, phases);
    into.nodes.push_back(row);
  }
  for (trace::sample row : p.samples) {
    for (std::uint64_t* address : {&row.address, &row.caller, &row.second_caller, &row.third_caller}) {
      if (*address != 0) *address = moved(*address);
    }
    into.samples.push_back(row);
  }
  into.run.samples = sum(into.run.samples, p.run.samples);
  into.run.unlocated = sum(into.run.unlocated, p.run.unlocated);
  if (p.space.empty()) return;
  if (into.space.empty()) into.space.emplace_back();
  trace::space_totals& all = into.space.front();
  const trace::space_totals& one = p.space.front();
  all.serial_peak = sum_of_bytes(all.serial_peak, one.serial_peak);
  all.worst_peak = sum_of_bytes(all.worst_peak, one.worst_peak);
  all.left = sum_of_bytes(all.left, one.left);
  all.allocations = sum(all.allocations, one.allocations);
  all.frees = sum(all.frees, one.frees);
  all.allocated = sum(all.allocated, one.allocated);
}

}  // namespace

std::string why_no_job(const std::vector<member>& all) {
  std::set<std::uint32_t> known;
  for (const member& m : all) {
    if (m.profile.rank.empty())
      return m.file + ": not the profile of a rank of a job; several profiles are joined only if they are";
    const trace::rank_totals &first = rank_of(all.front()), &one = rank_of(m);
    if (one.ranks != first.ranks)
      return m.file + ": a rank of a job of " + std::to_string(one.ranks) + ", but " + all.front().file +
             " is one of " + std::to_string(first.ranks);
    if (!known.insert(one.rank).second) return m.file + ": the second profile of rank " + std::to_string(one.rank);
    if (m.profile.run.analyses != all.front().profile.run.analyses)
      return m.file + ": another set of analyses than " + all.front().file;
  }
  return {};
}

job join(const std::vector<member>& all) {
  job j;
  j.ranks = rank_of(all.front()).ranks;
  j.roots = together(all, &summary::roots);
  j.process = together(all, &summary::process);
  const std::uint64_t first = first_start(all);
  for (const member& m : all) {
    const trace::rank_totals& counted = rank_of(m);
    const std::uint64_t later = counted.started - first;
    rank_view v;
    v.counted = counted;
    v.file = m.file;
    v.life = {later, m.profile.run.wall};
    v.work = m.summary.roots.work;
    v.work_share = ratio(v.work, j.roots.work);
    v.without_work_share = ratio(counted.without_work, counted.in_calls);
    v.roots = time_in_roots(m.profile, later);
    v.idle_periods = m.profile.idle_periods;
    for (trace::idle_period& p : v.idle_periods) p.begin = sum(p.begin, later);
    j.wall = std::max(j.wall, sum(later, m.profile.run.wall));
    j.by_rank.push_back(std::move(v));
  }
  std::ranges::sort(j.by_rank, {}, [](const rank_view& v) { return v.counted.rank; });
  auto next = j.by_rank.begin();
  for (std::uint32_t rank = 0; rank < j.ranks; ++rank) {
    if (next != j.by_rank.end() && next->counted.rank == rank) {
      ++next;
    } else if (j.missing.size() < 1024) {  // a file may claim any number of ranks
      j.missing.push_back(rank);
    } else {
      break;
    }
  }
  return j;
}

trace::profile joined_profile(const std::vector<member>& all) {
  trace::profile p;
  const std::uint64_t first = first_start(all);
  p.run = all.front().profile.run;
  p.run.samples = p.run.unlocated = 0;
  p.run.workers = 0;
  for (const member& m : all) {
    append(p, m.profile, rank_of(m).started - first);
    p.run.workers += m.profile.run.workers;
    p.run.wall = std::max(p.run.wall, sum(rank_of(m).started - first, m.profile.run.wall));
    p.run.threshold = std::max(p.run.threshold, m.profile.run.threshold);
    if (p.run.ended == trace::ending::normal) p.run.ended = m.profile.run.ended, p.run.signal = m.profile.run.signal;
  }
  return p;
}

void describe(summary& of, const job& j, const std::vector<member>& all) {
  of.roots = j.roots;
  of.process = j.process;
  of.outside = of.serial = 0;
  for (const member& m : all) {
    of.outside = sum(of.outside, m.summary.outside);
    of.serial = sum(of.serial, m.summary.serial);
  }
  of.serial_share = std::min(1.0, ratio(of.serial, of.process.work));
  of.serial_bound.clear();  // that of a process
}

}  // namespace tine::report
