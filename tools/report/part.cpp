// Cuts a part out of a profile: first the times of everything else become 0 (changed.cpp), then what has no time goes.
#include "report/part.hpp"

#include "report/changed.hpp"
#include "report/root_chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace tine::report {
namespace {

constexpr const char* needs_trace = "profile the program with the analysis `trace`, as `tine profile` does";

std::uint64_t scaled(std::uint64_t n, double by) {
  return by == 1 ? n : static_cast<std::uint64_t>(std::llround(static_cast<double>(n) * by));
}

// --- sites and paths -----------------------------------------------------------------------------------------------

// Drops the paths that are not kept and not above one that is. Those above lose their counts.
void keep_paths(trace::profile& p, const std::vector<bool>& kept) {
  std::vector<bool> stays = kept;
  for (std::size_t i = p.paths.size(); i-- > 0;) {
    if (stays[i] && p.paths[i].parent != trace::nothing) stays[p.paths[i].parent] = true;
  }
  std::vector<std::uint32_t> to(p.paths.size(), trace::nothing);
  std::vector<trace::path> all;
  for (std::size_t i = 0; i < p.paths.size(); ++i) {
    if (!stays[i]) continue;
    trace::path row = p.paths[i];
    if (row.parent != trace::nothing) row.parent = to[row.parent];
    if (!kept[i]) row.work = row.count = row.iterations = 0;
    to[i] = static_cast<std::uint32_t>(all.size());
    all.push_back(row);
  }
  p.paths = std::move(all);
}

// Makes the sites the sums of the paths that are left.
void count_sites(trace::profile& p) {
  std::vector<std::uint64_t> counts(p.sites.size()), iterations(p.sites.size());
  for (const trace::path& row : p.paths) {
    if (row.site == trace::nothing) continue;
    counts[row.site] += row.count;
    iterations[row.site] += row.iterations;
  }
  for (std::size_t i = 0; i < p.sites.size(); ++i) {
    trace::site& s = p.sites[i];
    const double share = ratio(counts[i], s.count);
    s.promoted = scaled(s.promoted, share);
    s.stolen = scaled(s.stolen, share);
    s.count = counts[i];
    s.iterations = iterations[i];
  }
}

// --- roots ---------------------------------------------------------------------------------------------------------

struct trees {
  std::vector<std::uint32_t> size;  // of the subtree of each node
  std::vector<std::uint32_t> at;    // of each root: the topmost node

  explicit trees(const std::vector<trace::node>& nodes) : size(nodes.size(), 1) {
    for (auto i = static_cast<std::uint32_t>(nodes.size()); i-- > 0;) {
      for (std::uint32_t c = i + 1, k = 0; k < nodes[i].children; ++k, c += size[c]) size[i] += size[c];
    }
    for (std::uint32_t i = 0; i < nodes.size(); i += size[i]) at.push_back(i);
  }
};

// Drops the nodes without work of the kept roots, and all nodes of the others. A fork that is left with one branch
// goes, too, and its branch takes its place.
void keep_nodes(trace::profile& p, const std::vector<bool>& kept_roots) {
  if (p.nodes.empty()) return;
  const trees old{p.nodes};
  std::vector<trace::node> all;
  for (std::size_t r = 0; r < old.at.size(); ++r) {
    if (r >= kept_roots.size() || !kept_roots[r]) continue;
    const std::uint32_t tree = old.at[r], end = tree + old.size[tree];
    if (p.nodes[tree].work == 0) all.push_back({.phase = p.nodes[tree].phase});
    for (std::uint32_t i = tree; i < end;) {
      trace::node n = p.nodes[i];
      if (n.work == 0) {
        i += old.size[i];
        continue;
      }
      std::uint32_t left = 0;
      for (std::uint32_t c = i + 1, k = 0; k < n.children; ++k, c += old.size[c]) left += p.nodes[c].work != 0;
      const bool is_passed = n.children > 1 && left == 1;
      n.children = left;
      if (!is_passed) all.push_back(n);
      ++i;
    }
  }
  p.nodes = std::move(all);
}

// Sets forks, loops and iterations of the roots that are only partly left, so that all roots together have those of the
// paths.
void count_roots(trace::profile& p, const std::vector<bool>& is_whole) {
  if ((p.run.analyses & trace::grain) == 0) return;
  trace::totals left;
  for (const trace::site& s : p.sites) {
    (s.kind == trace::construct::loop ? left.loops : left.forks) += s.count;
    left.iterations += s.iterations;
  }
  std::uint64_t work = 0;
  for (std::size_t i = 0; i < p.roots.size(); ++i) {
    const trace::totals& t = p.roots[i].all;
    if (!is_whole[i]) {
      work = sum(work, t.work);
      continue;
    }
    for (std::uint64_t trace::totals::* count :
         {&trace::totals::forks, &trace::totals::loops, &trace::totals::iterations})
      left.*count -= std::min(left.*count, t.*count);
  }
  for (std::size_t i = 0; i < p.roots.size(); ++i) {
    trace::totals& t = p.roots[i].all;
    if (is_whole[i]) continue;
    const double share = ratio(t.work, work);
    work -= t.work;
    for (std::uint64_t trace::totals::* count :
         {&trace::totals::forks, &trace::totals::loops, &trace::totals::iterations}) {
      t.*count = std::min(left.*count, scaled(left.*count, share));
      left.*count -= t.*count;
    }
  }
}

// Moves the roots together, with only the free time before each group of roots that overlap, and after the last one.
template <class FreeTime>
void move_together(trace::profile& p, FreeTime free_before_group) {
  std::uint64_t now = 0, end = 0;  // in the new time; the end of the group in the old time
  std::size_t group = 0;
  std::uint64_t shift = 0, begin_of_group = 0;
  for (const std::size_t i : by_begin(p.roots)) {
    trace::root& r = p.roots[i];
    if (group == 0 || r.begin >= end) {
      now += end - begin_of_group + free_before_group(group++);
      begin_of_group = end = r.begin;
      shift = now;
    }
    end = std::max(end, end_of(r));
    r.begin = shift + (r.begin - begin_of_group);
  }
  p.run.wall = now + (end - begin_of_group) + free_before_group(group);
}

std::size_t groups_of(const std::vector<trace::root>& roots) {
  std::size_t groups = 0;
  std::uint64_t end = 0;
  for (const std::size_t i : by_begin(roots)) {
    if (groups == 0 || roots[i].begin >= end) ++groups;
    end = std::max(end, end_of(roots[i]));
  }
  return groups;
}

// Drops the lists that know neither the phase of a row nor its root.
void forget_the_rest(trace::profile& p) {
  p.run.analyses &= trace::work_span | trace::grain | trace::dag;
  p.run.sampled = trace::sampling::none;
  p.run.samples = p.run.unlocated = 0;
  p.samples.clear(), p.space.clear(), p.rank.clear(), p.idle_periods.clear();
  p.timeline.clear(), p.timeline_workers.clear(), p.timeline_events.clear();
  p.race.clear(), p.races.clear(), p.race_steps.clear();
  p.lock.clear(), p.lock_stacks.clear(), p.lock_findings.clear();
  for (trace::site& s : p.sites) s.bytes = 0;
}

void keep_roots(trace::profile& p, const std::vector<bool>& kept) {
  keep_nodes(p, kept);
  std::size_t i = 0;
  std::erase_if(p.roots, [&](const trace::root&) { return !kept[i++]; });
}

// --- a part of the computation -------------------------------------------------------------------------------------

// Scales the forks of nodes with what is left of their work.
void count_forks(std::vector<trace::node>& nodes, const std::vector<trace::node>& before) {
  std::vector<std::uint32_t> siblings;  // nodes that still lack a parent, the leftmost on top
  for (auto i = static_cast<std::uint32_t>(nodes.size()); i-- > 0;) {
    std::uint64_t below = 0, were_below = 0;
    for (std::uint32_t k = 0; k < nodes[i].children; ++k, siblings.pop_back()) {
      below = sum(below, nodes[siblings.back()].forks);
      were_below = sum(were_below, before[siblings.back()].forks);
    }
    const std::uint64_t own = before[i].forks - std::min(before[i].forks, were_below);
    nodes[i].forks = sum(below, scaled(own, std::min(1.0, ratio(nodes[i].work, before[i].work))));
    siblings.push_back(i);
  }
}

// Makes the work of the roots that are partly left that of the paths, which is exact.
void make_work_exact(std::vector<trace::root>& roots, const std::vector<bool>& is_whole, std::uint64_t work) {
  std::uint64_t left = 0;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (is_whole[i]) {
      work -= std::min(work, roots[i].all.work);
    } else {
      left = sum(left, roots[i].all.work);
    }
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    trace::totals& t = roots[i].all;
    if (!is_whole[i] && left != 0) t.work = std::max(scaled(t.work, ratio(work, left)), t.span_high);
  }
}

// Returns the profile of the part, with `outside` as its time outside of roots.
trace::profile cut(const trace::profile& p, const part& what, std::uint64_t outside) {
  const std::vector<bool> paths = paths_in(p, what);
  trace::profile q = p.nodes.empty() ? p : changed(p, {{.is = change::kind::only, .part = what}});
  count_forks(q.nodes, p.nodes);
  const trees in{p.nodes};
  std::vector<bool> kept, is_whole;  // the latter of the kept roots
  for (std::size_t i = 0; i < p.roots.size(); ++i) {
    const bool is_in_phase =
        !what.phases.empty() && p.roots[i].phase != trace::nothing && what.phases[p.roots[i].phase];
    if (is_in_phase) {
      q.roots[i] = p.roots[i];
      if (i < in.at.size()) std::copy_n(p.nodes.begin() + in.at[i], in.size[in.at[i]], q.nodes.begin() + in.at[i]);
    }
    kept.push_back(is_in_phase || (!p.nodes.empty() && q.roots[i].all.work != 0));
    if (kept.back()) is_whole.push_back(is_in_phase);
  }
  keep_paths(q, paths);
  count_sites(q);
  keep_roots(q, kept);
  count_roots(q, is_whole);
  std::uint64_t work = 0;
  for (const trace::path& row : q.paths) work = sum(work, row.work);
  if ((p.run.analyses & trace::grain) != 0) make_work_exact(q.roots, is_whole, work);
  std::erase_if(q.points, [&](const trace::point& one) {
    return what.phases.empty() || one.phase == trace::nothing || !what.phases[one.phase];
  });
  for (std::size_t i = 0; i < q.phases.size(); ++i) {
    if (what.phases.empty() || !what.phases[i]) q.phases[i].outside = 0;
    if (!what.phases.empty() && !what.phases[i]) q.phases[i].count = 0;
  }
  const std::size_t gaps = groups_of(q.roots) + 1;
  move_together(q, [&](std::size_t gap) { return outside * (gap + 1) / gaps - outside * gap / gaps; });
  forget_the_rest(q);
  return q;
}

std::vector<bool> phases_named(const trace::profile& p, const std::string& name) {
  std::vector<bool> all(p.phases.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::uint32_t parent = p.phases[i].parent;
    const bool is_meant = !name.empty() && (p.phases[i].name == name || name_of_phase(p, i) == name);
    all[i] = is_meant || (parent != trace::nothing && all[parent]);
  }
  return all;
}

std::string known_phases(const trace::profile& p) {
  std::string text;
  int shown = 0;
  for (std::uint32_t i = 0; i < p.phases.size() && shown < 8; ++i) {
    if (!p.phases[i].name.empty()) text += (shown++ == 0 ? "" : ", ") + name_of_phase(p, i);
  }
  return text;
}

// --- a stretch of time ---------------------------------------------------------------------------------------------

// The time in which no root ran, up to a moment.
class free_time {
 public:
  explicit free_time(const std::vector<trace::root>& roots) {
    std::uint64_t end = 0;
    for (const std::size_t i : by_begin(roots)) {
      if (roots[i].begin > end) gaps_.emplace_back(end, roots[i].begin);
      end = std::max(end, end_of(roots[i]));
    }
    gaps_.emplace_back(end, ~std::uint64_t{0});
  }
  std::uint64_t between(std::uint64_t from, std::uint64_t to) const {
    std::uint64_t all = 0;
    for (const auto& [begin, end] : gaps_) {
      const std::uint64_t b = std::max(begin, from), e = std::min(end, to);
      if (b < e) all += e - b;
    }
    return all;
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps_;
};

// Returns for each path the share of its work in the kept roots: that of its site in the dag, or else that of the path
// above.
std::vector<double> shares_of_paths(const trace::profile& p, const std::vector<bool>& kept) {
  std::vector<std::uint64_t> all(p.sites.size()), part(p.sites.size());
  const trees in{p.nodes};
  for (std::size_t r = 0; r < std::min(in.at.size(), kept.size()); ++r) {
    for (std::uint32_t i = in.at[r]; i < in.at[r] + in.size[in.at[r]]; ++i) {
      const trace::node& n = p.nodes[i];
      if (n.site == trace::nothing || n.children == 0) continue;
      all[n.site] = sum(all[n.site], n.work);
      if (kept[r]) part[n.site] = sum(part[n.site], n.work);
    }
  }
  std::uint64_t work = 0, kept_work = 0;
  for (std::size_t r = 0; r < kept.size(); ++r) {
    work = sum(work, p.roots[r].all.work);
    if (kept[r]) kept_work = sum(kept_work, p.roots[r].all.work);
  }
  std::vector<double> shares;
  for (const trace::path& row : p.paths) {
    const double above = row.parent == trace::nothing ? ratio(kept_work, work) : shares[row.parent];
    const bool is_known = row.site != trace::nothing && all[row.site] != 0;
    shares.push_back(is_known ? ratio(part[row.site], all[row.site]) : above);
  }
  return shares;
}

std::string in_milliseconds(std::uint64_t ns) {
  std::ostringstream text;
  text << std::setprecision(4) << static_cast<double>(ns) / 1e6 << "ms";
  return text.str();
}

}  // namespace

std::vector<bool> paths_in(const trace::profile& p, const part& what) {
  std::vector<bool> all(p.paths.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const trace::path& row = p.paths[i];
    if (!what.phases.empty()) {
      all[i] = row.phase != trace::nothing && what.phases[row.phase];
    } else {
      all[i] =
          (row.site != trace::nothing && what.sites[row.site]) || (row.parent != trace::nothing && all[row.parent]);
    }
  }
  return all;
}

std::string name_of_phase(const trace::profile& p, std::uint32_t phase) {
  const trace::phase& row = p.phases[phase];
  return row.parent == trace::nothing ? row.name : name_of_phase(p, row.parent) + " / " + row.name;
}

trace::profile in_phase(const trace::profile& p, const std::string& name) {
  const part what{{}, phases_named(p, name)};
  if (std::ranges::find(what.phases, true) == what.phases.end()) {
    const std::string known = known_phases(p);
    throw std::runtime_error{"'" + name + "' is not a phase of this profile; " +
                             (known.empty() ? "the program names none: see tine::phase" : "it has " + known)};
  }
  std::uint64_t outside = 0, in_paths = 0, in_roots = 0;
  for (std::size_t i = 0; i < p.phases.size(); ++i) outside += what.phases[i] ? p.phases[i].outside : 0;
  const std::vector<bool> paths = paths_in(p, what);
  for (std::size_t i = 0; i < p.paths.size(); ++i) in_paths += paths[i] ? p.paths[i].work : 0;
  for (const trace::root& r : p.roots) {
    if (r.phase != trace::nothing && what.phases[r.phase]) in_roots = sum(in_roots, r.all.work);
  }
  if (p.nodes.empty() && in_paths > in_roots + in_roots / 50)
    throw std::runtime_error{"a part of the phase '" + name +
                             "' is inside of calls into pools, and its span is not known; " + needs_trace};
  trace::profile q = cut(p, what, outside);
  if (q.roots.empty() && outside == 0)
    throw std::runtime_error{"the phase '" + name + "' was opened, but took no time that this profile has recorded; " +
                             needs_trace};
  return q;
}

trace::profile below_sites(const trace::profile& p, const std::vector<std::uint32_t>& sites) {
  if (p.nodes.empty())
    throw std::runtime_error{std::string{"what runs below a call site is only known with a trace; "} + needs_trace};
  part what{std::vector<bool>(p.sites.size()), {}};
  for (const std::uint32_t s : sites) what.sites[s] = true;
  return cut(p, what, 0);
}

trace::profile between(const trace::profile& p, std::uint64_t from, std::uint64_t to) {
  std::vector<bool> kept;
  std::uint64_t last = 0;
  for (const trace::root& r : p.roots) {
    kept.push_back(r.begin >= from && r.begin < to);
    if (kept.back()) last = std::max(last, end_of(r));
  }
  const std::uint64_t end = std::min(std::max(to, last), p.run.wall);
  const free_time free{p.roots};
  if (last == 0) {
    const auto around =
        std::ranges::find_if(p.roots, [&](const trace::root& r) { return r.begin < to && end_of(r) > from; });
    std::string why = "no call into a pool began from " + in_milliseconds(from) + " to " + in_milliseconds(to);
    if (around != p.roots.end()) {
      why += "; the one that ran then began at " + in_milliseconds(around->begin) + " and ended at " +
             in_milliseconds(end_of(*around)) + ", so choose a phase or a call site in it";
    } else {
      why += "; the run took " + in_milliseconds(p.run.wall);
    }
    throw std::runtime_error{why};
  }
  trace::profile q = p;
  const std::vector<double> shares = shares_of_paths(p, kept);
  for (std::size_t i = 0; i < q.paths.size(); ++i) {
    for (std::uint64_t* n : {&q.paths[i].work, &q.paths[i].count, &q.paths[i].iterations}) *n = scaled(*n, shares[i]);
  }
  count_sites(q);
  keep_roots(q, kept);
  q.points.clear();
  for (trace::phase& row : q.phases) row.outside = 0;
  std::vector<std::uint64_t> begins;  // of the groups, in the old time
  std::uint64_t group_end = 0;
  for (const std::size_t i : by_begin(q.roots)) {
    if (begins.empty() || q.roots[i].begin >= group_end) begins.push_back(q.roots[i].begin);
    group_end = std::max(group_end, end_of(q.roots[i]));
  }
  move_together(q, [&](std::size_t gap) {
    return free.between(gap == 0 ? from : begins[gap - 1], gap == begins.size() ? end : begins[gap]);
  });
  forget_the_rest(q);
  return q;
}

}  // namespace tine::report
