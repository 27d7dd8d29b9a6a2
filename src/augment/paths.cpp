// Trees of fork paths, one for each thread, and their merging. A lock protects the list of trees and their growth.
#include "augment/paths.hpp"

#include "augment/callers.hpp"
#include "augment/resolution.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace tine::detail {

/// How many levels of paths we keep. Deeper forks count for the paths of these levels.
constexpr std::uint32_t most_levels = 256;

class path_tree {
 public:
  path_tree() { grow(nullptr, 0, trace::construct::fork, trace::nothing, 0); }
  /// Returns the path of roots in no phase.
  path& root() noexcept { return *nodes_.front(); }
  path& root(std::uint32_t phase);
  path& add(path& parent, sched::site where, trace::construct kind, std::uint32_t phase);
  /// Returns the paths, parents before children. Call it under the forest's lock.
  const std::vector<std::unique_ptr<path>>& nodes() const noexcept { return nodes_; }

 private:
  path& grow(path* parent, sched::site where, trace::construct kind, std::uint32_t phase, std::uint32_t depth) {
    return *nodes_.emplace_back(new path{this, parent, where, kind, phase, depth});
  }

  std::vector<std::unique_ptr<path>> nodes_;
};

namespace {

struct forest {
  std::mutex lock;
  std::vector<std::unique_ptr<path_tree>> trees;
  std::size_t paths = 0;                       ///< of all trees, without the roots
  std::map<sched::site, std::uint32_t> sites;  ///< the indices of the sites in the last profile
};

/// Never destroyed, because threads count until the process ends.
forest& all_trees() {
  static forest& f = *new forest;
  return f;
}

thread_local path_tree* tree_of_this_thread = nullptr;

/// Returns the path that takes the counts of a path below `p` that would be one too many. That is the nearest path from
/// `p` upwards of a fork at the same place, in the same phase, or else the path of that place directly below the root.
/// So each site keeps its own counts.
path& nearest_path(path& p, sched::site where, trace::construct kind, std::uint32_t phase) noexcept {
  for (path* at = &p; at->parent != nullptr; at = at->parent) {
    if (at->where == where && at->phase == phase) return *at;
  }
  return path_below(p.tree->root(phase), where, kind);
}

/// Returns the child of `p` with the forks and the phase.
path& child_of(path& p, sched::site where, trace::construct kind, std::uint32_t phase) noexcept {
  if (p.depth >= most_levels) return nearest_path(p, where, kind, phase);
  path** at = &p.first_child;
  for (path* c = *at; c != nullptr; at = &c->sibling, c = *at) {
    if (c->where != where || c->phase != phase) continue;
    *at = c->sibling;  // move it to the front, where the next search finds it at once
    c->sibling = std::exchange(p.first_child, c);
    return *c;
  }
  return p.tree->add(p, where, kind, phase);
}

}  // namespace

// New paths are rare, so the lock costs nothing. We need it because another thread may merge the trees. A path directly
// below a root is never refused, because there are only as many as the program has sites.
path& path_tree::add(path& parent, sched::site where, trace::construct kind, std::uint32_t phase) {
  std::unique_lock guard{all_trees().lock};
  if (parent.parent != nullptr && all_trees().paths >= caps().paths) {
    guard.unlock();
    return nearest_path(parent, where, kind, phase);
  }
  ++all_trees().paths;
  path& p = grow(&parent, where, kind, phase, parent.depth + 1);
  p.sibling = std::exchange(parent.first_child, &p);
  return p;
}

// The paths of roots are the siblings of the first one.
path& path_tree::root(std::uint32_t phase) {
  for (path* r = &root(); r != nullptr; r = r->sibling) {
    if (r->phase == phase) return *r;
  }
  const std::lock_guard guard{all_trees().lock};
  path& r = grow(nullptr, 0, trace::construct::fork, phase, 0);
  r.sibling = std::exchange(root().sibling, &r);
  return r;
}

namespace {

path_tree& plant() {
  forest& f = all_trees();
  const std::lock_guard guard{f.lock};
  tree_of_this_thread = f.trees.emplace_back(std::make_unique<path_tree>()).get();
  return *tree_of_this_thread;
}

// Not inlined, because the next call may run on another thread.
TINE_NOINLINE path_tree& my_tree() {
  path_tree* t = tree_of_this_thread;
  return t != nullptr ? *t : plant();
}

path& translate(const path& p, path_tree& to) {
  if (p.parent == nullptr) return to.root(p.phase);
  return child_of(translate(*p.parent, to), p.where, p.kind, p.phase);
}

using place_in_profile = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // parent's path, site, and phase

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
      const std::uint32_t i = path_at({parent, site, p->phase});
      index[p.get()] = i;
      // We read each number once: another thread may still count, and a site must be the sum of its paths.
      const std::uint64_t count = p->count, iterations = p->iterations;
      into_.paths[i].count += count;
      into_.paths[i].iterations += iterations;
      work_[i] += p->work;
      if (site == trace::nothing) continue;
      into_.sites[site].count += count;
      into_.sites[site].iterations += iterations;
    }
  }

  /// Adds the work of all paths, after all trees: we round once for each path, not for each thread's share of it.
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
      into_.paths.push_back({.parent = std::get<0>(where), .site = std::get<1>(where), .phase = std::get<2>(where)});
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

path& path_in_phase(path& p, std::uint32_t phase) noexcept {
  if (p.phase == phase) return p;
  if (p.parent == nullptr) return p.tree->root(phase);
  return child_of(*p.parent, p.where, p.kind, phase);
}

path& path_below(path& p, sched::site where, trace::construct kind) noexcept {
  return child_of(p, where, kind, p.phase);
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
