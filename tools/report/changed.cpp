// Applies changes to a profile: to the paths, then to the leaves of the dag, and from there to its inner nodes and to
// the roots.
#include "report/changed.hpp"

#include "report/root_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace tine::report {
namespace {

std::uint64_t scaled(std::uint64_t n, double by) {
  if (by == 1) return n;
  const double product = std::round(static_cast<double>(n) * by);
  return product < 0x1p64 ? static_cast<std::uint64_t>(product) : std::numeric_limits<std::uint64_t>::max();
}

// The share of a change in the work of a path's own strands, and in that of all paths from it on.
struct shares {
  std::vector<bool> own;
  std::vector<double> below;

  shares(const std::vector<trace::path>& paths, std::uint32_t site) : own(paths.size()), below(paths.size()) {
    std::vector<double> all(paths.size()), part(paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::uint32_t parent = paths[i].parent;
      own[i] = paths[i].site == site || (parent != trace::nothing && own[parent]);
    }
    for (std::size_t i = paths.size(); i-- > 0;) {  // parents stand before their children
      all[i] += static_cast<double>(paths[i].work);
      part[i] += own[i] ? static_cast<double>(paths[i].work) : 0;
      below[i] = all[i] > 0 ? part[i] / all[i] : own[i] ? 1 : 0;
      if (const std::uint32_t parent = paths[i].parent; parent != trace::nothing) {
        all[parent] += all[i];
        part[parent] += part[i];
      }
    }
  }
};

// The factors by which a change multiplies the work and the span of something of which it concerns a share.
struct factors {
  double work = 1, span = 1;

  void apply(const change& c, double share) {
    const double rest = 1 - share;
    if (c.is == change::kind::faster) {
      work *= rest + share / c.factor;
      span *= rest + share / c.factor;
    } else if (c.is == change::kind::parallel) {
      span *= rest;
    }
  }
};

class changer {
 public:
  changer(const trace::profile& p, const std::vector<change>& changes) : before_{p}, after_{p}, changes_{changes} {
    for (const change& c : changes) shares_.emplace_back(p.paths, c.site);
    for (std::uint32_t i = 0; i < p.paths.size(); ++i) paths_.emplace(key(p.paths[i].parent, p.paths[i].site), i);
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
  static std::uint64_t key(std::uint32_t parent, std::uint32_t site) { return std::uint64_t{parent} << 32 | site; }

  void change_paths() {
    for (std::size_t i = 0; i < after_.paths.size(); ++i) {
      factors f;
      for (std::size_t c = 0; c < changes_.size(); ++c) f.apply(changes_[c], shares_[c].own[i] ? 1 : 0);
      after_.paths[i].work = scaled(after_.paths[i].work, f.work);
    }
  }

  // The sequence of forks above a node, and the changes whose sites are among them.
  struct position {
    std::uint32_t path = trace::nothing;  // nothing: the profile has no such path
    std::vector<bool> inside;             // by change
    std::uint32_t left = 0;               // children that are still to come
  };

  position root() const {
    const auto found = paths_.find(key(trace::nothing, trace::nothing));
    return {found != paths_.end() ? found->second : trace::nothing, std::vector<bool>(changes_.size()), 0};
  }

  position below(const position& above, const trace::node& n) const {
    position p{above.path, above.inside, n.children};
    const bool is_fork = n.is == trace::node::shape::parallel || n.is == trace::node::shape::loop;
    if (!is_fork || n.site == trace::nothing) return p;
    const auto found = paths_.find(key(above.path, n.site));
    p.path = found != paths_.end() ? found->second : trace::nothing;
    for (std::size_t c = 0; c < changes_.size(); ++c) {
      if (changes_[c].site == n.site) p.inside[c] = true;
    }
    return p;
  }

  double share_of(const position& at, const trace::node& n, std::size_t c) const {
    if (at.inside[c]) return 1;
    if (at.path == trace::nothing || n.forks == 0) return 0;
    return shares_[c].below[at.path];
  }

  // The factors of what a node has beyond its children; of a leaf that is all of it.
  std::vector<factors> factors_of_nodes() const {
    std::vector<factors> all(before_.nodes.size());
    std::vector<position> open;  // the nodes around this one
    for (std::size_t i = 0; i < all.size(); ++i) {
      const trace::node& n = before_.nodes[i];
      const position at = below(open.empty() ? root() : open.back(), n);
      for (std::size_t c = 0; c < changes_.size(); ++c) all[i].apply(changes_[c], share_of(at, n, c));
      if (!open.empty()) --open.back().left;
      open.push_back(at);
      while (!open.empty() && open.back().left == 0) open.pop_back();
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

  static void change_root(trace::root& r, const trace::node& old, const trace::node& now, double burden_left) {
    trace::totals& t = r.all;
    const std::uint64_t burden = t.burdened_span - std::min(t.burdened_span, t.span_high);
    const double of_span = old.span == 0 ? 1 : static_cast<double>(now.span) / static_cast<double>(old.span);
    t.work = scaled(t.work, old.work == 0 ? 1 : static_cast<double>(now.work) / static_cast<double>(old.work));
    t.span_low = scaled(t.span_low, of_span);
    t.span_high = scaled(t.span_high, of_span);
    t.burdened_span = sum(t.span_high, scaled(burden, burden_left));
    r.serial = std::min(r.serial, t.work);
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
  std::vector<shares> shares_;  // by change
  std::unordered_map<std::uint64_t, std::uint32_t> paths_;
};

}  // namespace

trace::profile changed(const trace::profile& p, const std::vector<change>& changes) {
  return changer{p, changes}.run();
}

}  // namespace tine::report
