// Applies changes to a profile: to the paths, then to the leaves of the dag, and from there to its inner nodes and to
// the roots.
#include "report/changed.hpp"

#include "report/root_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace tine::report {
namespace {

std::uint64_t scaled(std::uint64_t n, double by) {
  if (by == 1) return n;
  const double product = std::round(static_cast<double>(n) * by);
  return product < 0x1p64 ? static_cast<std::uint64_t>(product) : std::numeric_limits<std::uint64_t>::max();
}

// The sequences of forks, whatever phase their strands are in. The paths with one sequence have one number: the index
// of the first of them.
class sequences {
 public:
  explicit sequences(const std::vector<trace::path>& paths) {
    for (std::uint32_t i = 0; i < paths.size(); ++i) {
      const std::uint32_t parent = paths[i].parent == trace::nothing ? trace::nothing : of_[paths[i].parent];
      of_.push_back(known_.try_emplace(key(parent, paths[i].site), i).first->second);
    }
  }

  std::uint32_t of(std::size_t path) const { return of_[path]; }

  // Returns the sequence of `above` and then a fork at the site; nothing if the profile has no such path.
  std::uint32_t below(std::uint32_t above, std::uint32_t site) const {
    const auto found = known_.find(key(above, site));
    return found != known_.end() ? found->second : trace::nothing;
  }

 private:
  static std::uint64_t key(std::uint32_t parent, std::uint32_t site) { return std::uint64_t{parent} << 32 | site; }

  std::vector<std::uint32_t> of_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

// The concern of a change: by path, and by sequence the share in the work of its own strands, and in that of all
// sequences from it on.
struct shares {
  std::vector<bool> own;
  std::vector<double> here, below;

  shares(const trace::profile& p, const sequences& in, std::vector<bool> concerned)
      : own(std::move(concerned)), here(p.paths.size()), below(p.paths.size()) {
    std::vector<double> all(p.paths.size()), part(p.paths.size());
    std::vector<bool> is_concerned(p.paths.size());
    for (std::size_t i = 0; i < p.paths.size(); ++i) {
      all[in.of(i)] += static_cast<double>(p.paths[i].work);
      part[in.of(i)] += own[i] ? static_cast<double>(p.paths[i].work) : 0;
      is_concerned[in.of(i)] = is_concerned[in.of(i)] || own[i];
    }
    const auto share = [&](std::size_t i) { return all[i] > 0 ? part[i] / all[i] : is_concerned[i] ? 1 : 0; };
    for (std::size_t i = 0; i < p.paths.size(); ++i) here[i] = share(i);
    for (std::size_t i = p.paths.size(); i-- > 0;) {  // parents stand before their children
      if (in.of(i) != i) continue;
      below[i] = share(i);
      if (const std::uint32_t parent = p.paths[i].parent; parent != trace::nothing) {
        all[in.of(parent)] += all[i];
        part[in.of(parent)] += part[i];
      }
    }
  }
};

part below_site(const trace::profile& p, std::uint32_t site) {
  part one{std::vector<bool>(p.sites.size()), {}};
  if (site < one.sites.size()) one.sites[site] = true;
  return one;
}

// The factors by which a change multiplies the work and the span of something. The change concerns a share of it.
struct factors {
  double work = 1, span = 1;

  void apply(const change& c, double share) {
    const double rest = 1 - share;
    if (c.is == change::kind::faster) {
      work *= rest + share / c.factor;
      span *= rest + share / c.factor;
    } else if (c.is == change::kind::parallel) {
      span *= rest;
    } else if (c.is == change::kind::only) {
      work *= share;
      span *= share;
    }
  }
};

class changer {
 public:
  changer(const trace::profile& p, const std::vector<change>& changes)
      : before_{p}, after_{p}, changes_{changes}, paths_{p.paths} {
    for (const change& c : changes) {
      parts_.push_back(c.is == change::kind::only ? c.part : below_site(p, c.site));
      shares_.emplace_back(p, paths_, paths_in(p, parts_.back()));
    }
  }

  trace::profile run() {
    change_paths();
    const std::vector<factors> of_nodes = factors_of_nodes();
    const std::vector<std::uint32_t> trees = change_nodes(of_nodes);
    const double burden_left = 1 - unburdened_share();
    for (std::size_t i = 0; i < std::min(trees.size(), after_.roots.size()); ++i)
      change_root(after_.roots[i], before_.nodes[trees[i]], after_.nodes[trees[i]], burden_left);
    make_work_exact();
    return std::move(after_);
  }

 private:
  void change_paths() {
    for (std::size_t i = 0; i < after_.paths.size(); ++i) {
      factors f;
      for (std::size_t c = 0; c < changes_.size(); ++c) f.apply(changes_[c], shares_[c].own[i] ? 1 : 0);
      after_.paths[i].work = scaled(after_.paths[i].work, f.work);
    }
  }

  // The sequence of forks above a node, and what it opens.
  struct position {
    std::uint32_t path = trace::nothing;  // a sequence; nothing: the profile has none
    std::uint32_t site = trace::nothing;  // of the node, if it is a fork or a loop
    std::uint32_t left = 0;               // children that are still to come
  };

  position below(std::uint32_t above, const trace::node& n) const {
    const bool is_fork = n.is == trace::node::shape::parallel || n.is == trace::node::shape::loop;
    if (!is_fork || n.site == trace::nothing) return {above, trace::nothing, n.children};
    return {paths_.below(above, n.site), n.site, n.children};
  }

  // Opens or closes a fork at a site: `inside` counts the open forks at the sites of each change.
  void count(std::vector<std::uint32_t>& inside, std::uint32_t site, int by) const {
    if (site == trace::nothing) return;
    for (std::size_t c = 0; c < changes_.size(); ++c) {
      if (site < parts_[c].sites.size() && parts_[c].sites[site]) inside[c] += static_cast<std::uint32_t>(by);
    }
  }

  // The share of a node's own work that a change concerns, of whose sites so many forks are open.
  double share_of(std::uint32_t path, const trace::node& n, std::size_t c, std::uint32_t open) const {
    if (open > 0) return 1;
    const std::vector<bool>& phases = parts_[c].phases;
    if (!phases.empty() && n.phase == trace::nothing) return 0;
    if (!phases.empty() && !before_.phases[n.phase].name.empty()) return phases[n.phase] ? 1 : 0;
    if (path == trace::nothing) return 0;
    return n.forks == 0 ? shares_[c].here[path] : shares_[c].below[path];
  }

  // The factors of what a node has beyond its children; of a leaf that is all of it.
  std::vector<factors> factors_of_nodes() const {
    std::vector<factors> all(before_.nodes.size());
    std::vector<position> open;  // the nodes around this one
    std::vector<std::uint32_t> inside(changes_.size());
    const std::uint32_t top = paths_.below(trace::nothing, trace::nothing);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const trace::node& n = before_.nodes[i];
      const position at = below(open.empty() ? top : open.back().path, n);
      count(inside, at.site, 1);
      for (std::size_t c = 0; c < changes_.size(); ++c) all[i].apply(changes_[c], share_of(at.path, n, c, inside[c]));
      if (!open.empty()) --open.back().left;
      open.push_back(at);
      for (; !open.empty() && open.back().left == 0; open.pop_back()) count(inside, open.back().site, -1);
    }
    return all;
  }

  // Returns the roots of the trees.
  std::vector<std::uint32_t> change_nodes(const std::vector<factors>& of_nodes) {
    std::vector<std::uint32_t> siblings;  // nodes that still lack a parent, the leftmost on top
    for (auto i = static_cast<std::uint32_t>(after_.nodes.size()); i-- > 0;) {
      const trace::node& old = before_.nodes[i];
      trace::node& n = after_.nodes[i];
      std::uint64_t old_work = 0, work = 0, old_span = 0, span = 0;
      for (std::uint32_t child = 0; child < n.children; ++child) {
        const std::uint32_t c = siblings.back();
        siblings.pop_back();
        old_work = sum(old_work, before_.nodes[c].work);
        work = sum(work, after_.nodes[c].work);
        const bool in_series = n.is == trace::node::shape::series;
        old_span = in_series ? sum(old_span, before_.nodes[c].span) : std::max(old_span, before_.nodes[c].span);
        span = in_series ? sum(span, after_.nodes[c].span) : std::max(span, after_.nodes[c].span);
      }
      n.work = sum(work, scaled(old.work - std::min(old.work, old_work), of_nodes[i].work));
      n.span = sum(span, scaled(old.span - std::min(old.span, old_span), of_nodes[i].span));
      siblings.push_back(i);
    }
    std::reverse(siblings.begin(), siblings.end());
    return siblings;
  }

  void change_root(trace::root& r, const trace::node& old, const trace::node& now, double burden_left) const {
    trace::totals& t = r.all;
    const std::uint64_t burden = t.burdened_span - std::min(t.burdened_span, t.span_high);
    const double of_span = old.span == 0 ? 1 : static_cast<double>(now.span) / static_cast<double>(old.span);
    const double of_work = old.work == 0 ? 1 : static_cast<double>(now.work) / static_cast<double>(old.work);
    t.work = scaled(t.work, of_work);
    t.span_low = scaled(t.span_low, of_span);
    t.span_high = scaled(t.span_high, of_span);
    const bool is_cut = std::ranges::any_of(changes_, [](const change& c) { return c.is == change::kind::only; });
    t.burdened_span = sum(t.span_high, scaled(burden, is_cut ? burden_left * of_span : burden_left));
    r.serial = std::min(is_cut ? scaled(r.serial, of_work) : r.serial, t.work);
  }

  // The paths have the exact work of every site. The dag's work of a site in leaves is an estimate, so the paths
  // correct the roots' work.
  void make_work_exact() {
    const double in_paths = work_of(before_.paths), in_roots = work_of_roots(before_);
    if (in_paths <= 0 || std::abs(in_paths - in_roots) > 0.01 * in_roots) return;  // some work was not recorded by path
    const double estimated = work_of_roots(after_);
    if (estimated <= 0) return;
    const double correction = work_of(after_.paths) / in_paths * in_roots / estimated;
    for (trace::root& r : after_.roots) r.all.work = scaled(r.all.work, correction);
  }

  static double work_of(const std::vector<trace::path>& paths) {
    double all = 0;
    for (const trace::path& p : paths) all += static_cast<double>(p.work);
    return all;
  }
  static double work_of_roots(const trace::profile& p) {
    double all = 0;
    for (const trace::root& r : p.roots) all += static_cast<double>(r.all.work);
    return all;
  }

  // The share of the sites without burden in the forks and loops on the critical path.
  double unburdened_share() const {
    const auto is_concerned = [&](std::uint32_t site) {
      return std::ranges::any_of(changes_,
                                 [&](const change& c) { return c.is == change::kind::unburdened && c.site == site; });
    };
    if (std::ranges::none_of(changes_, [](const change& c) { return c.is == change::kind::unburdened; })) return 0;
    const critical_path path = find_critical_path(before_);
    std::uint64_t all = 0, concerned = 0;
    for (std::size_t i = 0; i < before_.nodes.size(); ++i) {
      const trace::node& n = before_.nodes[i];
      if (!path.goes_through[i] || n.site == trace::nothing || n.is == trace::node::shape::leaf) continue;
      ++all;
      concerned += is_concerned(n.site);
    }
    return ratio(concerned, all);
  }

  const trace::profile& before_;
  trace::profile after_;
  const std::vector<change>& changes_;
  const sequences paths_;
  std::vector<part> parts_;     // by change: what it concerns
  std::vector<shares> shares_;  // by change
};

}  // namespace

trace::profile changed(const trace::profile& p, const std::vector<change>& changes) {
  return changer{p, changes}.run();
}

}  // namespace tine::report
