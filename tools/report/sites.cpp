// Computes the figures of each site from the tree of paths.
#include "report/root_chain.hpp"

#include <algorithm>

namespace tine::report {
namespace {

// The paths as a tree that can be walked from the roots down.
struct path_tree {
  std::vector<std::uint32_t> first_child, next_sibling;
  std::uint32_t first_root = trace::nothing;

  explicit path_tree(const std::vector<trace::path>& paths)
      : first_child(paths.size(), trace::nothing), next_sibling(paths.size(), trace::nothing) {
    for (auto i = static_cast<std::uint32_t>(paths.size()); i-- > 0;) {
      const std::uint32_t parent = paths[i].parent;
      std::uint32_t& first = parent == trace::nothing ? first_root : first_child[parent];
      next_sibling[i] = first;
      first = i;
    }
  }
};

// The totals of each path and of all paths below it.
struct below {
  std::vector<std::uint64_t> work, forks;
  std::vector<double> profiling;  // the part of the work that profiling added

  explicit below(const trace::profile& p) {
    for (const trace::path& path : p.paths) {
      work.push_back(path.work);
      forks.push_back(own_forks(p, path));
      profiling.push_back(own_profiling(p, path));
    }
    // Parents stand before their children.
    for (std::size_t i = p.paths.size(); i-- > 0;) {
      const std::uint32_t parent = p.paths[i].parent;
      if (parent == trace::nothing) continue;
      work[parent] = sum(work[parent], work[i]);
      forks[parent] = sum(forks[parent], forks[i]);
      profiling[parent] += profiling[i];
    }
  }

 private:
  static double own_profiling(const trace::profile& p, const trace::path& path) {
    if (path.site == trace::nothing) return 0;
    const bool is_loop = p.sites[path.site].kind == trace::construct::loop;
    return static_cast<double>(path.count) * (is_loop ? p.run.profiled_loop_cost : p.run.profiled_fork_cost);
  }

  // A loop of n iterations counts n - 1 forks.
  static std::uint64_t own_forks(const trace::profile& p, const trace::path& path) {
    if (path.site == trace::nothing) return 0;
    if (p.sites[path.site].kind != trace::construct::loop) return path.count;
    return path.iterations - std::min(path.iterations, path.count);
  }
};

// Calls `enter(i)` and `leave(i)` for each path, in the order of a walk over the tree. It keeps no stack of calls: a
// path may be as long as the program's recursion was deep.
template <class Enter, class Leave>
void walk(const std::vector<trace::path>& paths, const path_tree& tree, Enter enter, Leave leave) {
  for (std::uint32_t i = tree.first_root; i != trace::nothing;) {
    enter(i);
    if (tree.first_child[i] != trace::nothing) {
      i = tree.first_child[i];
      continue;
    }
    leave(i);
    while (tree.next_sibling[i] == trace::nothing && paths[i].parent != trace::nothing) leave(i = paths[i].parent);
    i = tree.next_sibling[i];
  }
}

}  // namespace

std::vector<site_row> rows_of_sites(const trace::profile& p) {
  std::vector<site_row> rows(p.sites.size());
  for (std::size_t s = 0; s < rows.size(); ++s) rows[s].site = static_cast<std::uint32_t>(s);
  const below all{p};
  std::vector<double> profiling(p.sites.size());
  std::vector<std::uint32_t> open(p.sites.size());  // how many instances the walk is inside of
  const auto enter = [&](std::uint32_t i) {
    const trace::path& path = p.paths[i];
    if (path.site == trace::nothing) return;
    site_row& row = rows[path.site];
    row.own_work = sum(row.own_work, path.work);
    if (open[path.site]++ != 0) return;
    row.work = sum(row.work, all.work[i]);
    row.forks = sum(row.forks, all.forks[i]);
    profiling[path.site] += all.profiling[i];
  };
  const auto leave = [&](std::uint32_t i) {
    if (p.paths[i].site != trace::nothing) --open[p.paths[i].site];
  };
  walk(p.paths, path_tree{p.paths}, enter, leave);
  for (site_row& row : rows) {
    if (row.forks != 0) row.work_per_fork = grain_of(row.work, row.forks, profiling[row.site]);
  }
  return rows;
}

}  // namespace tine::report
