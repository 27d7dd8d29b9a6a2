// Trees of fork paths, and their merging.
#include "augment/paths.hpp"

#include "augment/callers.hpp"
#include "augment/resolution.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tine::detail {

/// The number of levels of paths. Deeper forks count for the paths of these levels.
constexpr std::uint32_t most_levels = 256;

class path_tree {
 public:
  path_tree() { grow(nullptr, 0, trace::construct::fork, 0); }
  path& root() noexcept { return *nodes_.front(); }
  path& add(path& parent, sched::site where, trace::construct kind);
  /// Returns the paths, parents before their children. Called under the forest's lock.
  const std::vector<std::unique_ptr<path>>& nodes() const noexcept { return nodes_; }

 private:
  path& grow(path* parent, sched::site where, trace::construct kind, std::uint32_t depth) {
    return *nodes_.emplace_back(new path{this, parent, where, kind, depth});
  }

  std::vector<std::unique_ptr<path>> nodes_;
};

namespace {

struct forest {
  std::mutex lock;
  std::vector<std::unique_ptr<path_tree>> trees;
  std::size_t paths = 0;                       ///< number of paths of all trees, without the roots
  std::map<sched::site, std::uint32_t> sites;  ///< the indices of the sites in the last profile
};

/// The forest is never destroyed, because threads count until the process ends.
forest& all_trees() {
  static forest& f = *new forest;
  return f;
}

thread_local path_tree* tree_of_this_thread = nullptr;

/// Returns the path that stands for a path below `p` that would be one too many: the nearest path from `p` upwards of a
/// fork at the same place, or else the path of that place directly below the root. So each site keeps its own counts.
path& nearest_path(path& p, sched::site where, trace::construct kind) noexcept {
  path* at = &p;
  for (; at->parent != nullptr; at = at->parent) {
    if (at->where == where) return *at;
  }
  return path_below(*at, where, kind);
}

}  // namespace

// New paths are rare, so the lock costs nothing. It is needed because another thread may merge the trees. A path
// directly below a root is never refused, because there are only as many as the program has sites.
path& path_tree::add(path& parent, sched::site where, trace::construct kind) {
  std::unique_lock guard{all_trees().lock};
  if (parent.parent != nullptr && all_trees().paths >= caps().paths) {
    guard.unlock();
    return nearest_path(parent, where, kind);
  }
  ++all_trees().paths;
  path& p = grow(&parent, where, kind, parent.depth + 1);
  p.sibling = std::exchange(parent.first_child, &p);
  return p;
}

namespace {

path_tree& plant() {
  forest& f = all_trees();
  const std::lock_guard guard{f.lock};
  tree_of_this_thread = f.trees.emplace_back(std::make_unique<path_tree>()).get();
  return *tree_of_this_thread;
}

// It is not inlined, because the next call may run on another thread.
TINE_NOINLINE path_tree& my_tree() {
  path_tree* t = tree_of_this_thread;
  return t != nullptr ? *t : plant();
}

path& translate(const path& p, path_tree& to) {
  if (p.parent == nullptr) return to.root();
  return path_below(translate(*p.parent, to), p.where, p.kind);
}

using place_in_profile = std::pair<std::uint32_t, std::uint32_t>;  // parent's path and site

/// Adds paths to the profile, each once.
class merger {
 public:
  explicit merger(trace::profile& into) : into_{into} {}

  const std::map<sched::site, std::uint32_t>& sites() const noexcept { return sites_; }

  void add(const path_tree& t) {
    std::map<const path*, std::uint32_t> index;
    for (const auto& p : t.nodes()) {
      const std::uint32_t parent = p->parent != nullptr ? index.at(p->parent) : trace::nothing;
      const std::uint32_t site = p->parent != nullptr ? site_of(*p) : trace::nothing;
      const std::uint32_t i = path_at({parent, site});
      index[p.get()] = i;
      // Each number is read once, because another thread may still count, and a site must be the sum of its paths.
      const std::uint64_t count = p->count, iterations = p->iterations;
      into_.paths[i].count += count;
      into_.paths[i].iterations += iterations;
      work_[i] += p->work;
      if (site == trace::nothing) continue;
      into_.sites[site].count += count;
      into_.sites[site].iterations += iterations;
    }
  }

  /// Adds the work of all paths, after all trees. It is rounded once for each path, not for each thread's share of the
  /// path.
  void add_work() {
    for (std::size_t i = 0; i < work_.size(); ++i) into_.paths[i].work = base::to_nanoseconds(work_[i]);
  }

 private:
  std::uint32_t site_of(const path& p) {
    const auto [at, is_new] = sites_.try_emplace(p.where, static_cast<std::uint32_t>(into_.sites.size()));
    if (is_new) {
      into_.sites.push_back({.address = address_of_site(p.where), .kind = p.kind});
      for (const std::uint64_t caller : callers_of_site(p.where)) into_.callers.push_back({at->second, caller});
    }
    into_.sites[at->second].promoted += p.promoted;
    into_.sites[at->second].stolen += p.stolen;
    return at->second;
  }
  std::uint32_t path_at(place_in_profile where) {
    const auto [at, is_new] = paths_.try_emplace(where, static_cast<std::uint32_t>(into_.paths.size()));
    if (is_new) {
      into_.paths.push_back({.parent = where.first, .site = where.second});
      work_.push_back(0);
    }
    return at->second;
  }

  trace::profile& into_;
  std::vector<base::ticks> work_;  // the work of each path
  std::map<sched::site, std::uint32_t> sites_;
  std::map<place_in_profile, std::uint32_t> paths_;
};

}  // namespace

path& path_here(path* p) noexcept {
  path_tree& mine = my_tree();
  if (p == nullptr) return mine.root();
  return p->tree == &mine ? *p : translate(*p, mine);
}

path& path_below(path& p, sched::site where, trace::construct kind) noexcept {
  if (p.depth >= most_levels) return nearest_path(p, where, kind);
  path** at = &p.first_child;
  for (path* c = *at; c != nullptr; at = &c->sibling, c = *at) {
    if (c->where != where) continue;
    *at = c->sibling;  // moves it to the front, where the next search finds it at once
    c->sibling = std::exchange(p.first_child, c);
    return *c;
  }
  return p.tree->add(p, where, kind);
}

void merge_paths(trace::profile& into) {
  forest& f = all_trees();
  const std::lock_guard guard{f.lock};
  merger m{into};
  for (const auto& t : f.trees) m.add(*t);
  m.add_work();
  f.sites = m.sites();
}

void lock_paths() noexcept { all_trees().lock.lock(); }
void unlock_paths() noexcept { all_trees().lock.unlock(); }

void forget_counts() noexcept {
  for (const auto& t : all_trees().trees) {
    for (const auto& p : t->nodes()) {
      for (counted* c : {&p->work, &p->count, &p->iterations, &p->promoted, &p->stolen}) c->forget();
    }
  }
}

std::uint32_t index_of_site(const trace::profile& in, sched::site where) {
  if (has_number(where)) {
    const std::lock_guard guard{all_trees().lock};
    const auto known = all_trees().sites.find(where);
    return known != all_trees().sites.end() ? known->second : trace::nothing;
  }
  const auto at =
      std::find_if(in.sites.begin(), in.sites.end(), [&](const trace::site& s) { return s.address == where; });
  return at != in.sites.end() ? static_cast<std::uint32_t>(at - in.sites.begin()) : trace::nothing;
}

}  // namespace tine::detail
