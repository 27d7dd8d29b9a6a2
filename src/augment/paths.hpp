// Fork paths: where in the program's forks strands are, with what they do there. Every thread has a tree of its own, so that
// counting takes no atomic operation; the trees are merged at the end.
#pragma once

#include "trace/profile.hpp"

#include <tine/sched/events.hpp>

#include <cstdint>

namespace tine::detail {

class path_tree;

/// One way of forks from a root, recursion and all. Only the thread that owns the tree reads and writes it.
struct path {
  path_tree* tree;
  path* parent;  ///< null: of a root
  sched::site where;
  trace::construct kind;
  std::uint32_t depth;
  path* first_child = nullptr;
  path* sibling = nullptr;

  std::uint64_t work = 0;  ///< ticks
  std::uint64_t count = 0, iterations = 0, offered = 0, taken = 0;
};

/// The same path in the tree of the thread that runs; the root's for null.
path& path_here(path* p) noexcept;

/// What forks at `where` in a path of the thread that runs.
path& path_below(path& p, sched::site where, trace::construct kind) noexcept;

/// Adds all trees to the profile: its paths and sites. When nobody counts any more.
void merge_paths(trace::profile& into);

/// The index of a site, after that.
std::uint32_t index_of_site(const trace::profile& in, sched::site where);

}  // namespace tine::detail
