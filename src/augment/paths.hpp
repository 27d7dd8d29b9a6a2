// Fork paths: the places of strands in the program's forks, with counts for each place. Every thread has a tree of its
// own, so that counting takes no atomic read-modify-write; the trees are merged at the end.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstdint>

namespace tine::detail {

class path_tree;

/// A number that one thread counts. Another thread may read it while the process ends. Any of the last values is good
/// enough then, so the orders are relaxed.
class counted {
 public:
  counted& operator+=(std::uint64_t n) noexcept {
    value_.store(value_.load(base::relaxed) + n, base::relaxed);
    return *this;
  }
  counted& operator++() noexcept { return *this += 1; }
  operator std::uint64_t() const noexcept { return value_.load(base::relaxed); }
  void forget() noexcept { value_.store(0, base::relaxed); }

 private:
  base::atomic<std::uint64_t> value_{0};
};

/// One way of forks from a root, including each level of recursion. Only the thread that owns the tree writes it.
struct path {
  path_tree* tree;
  path* parent;  ///< null: this is the path of a root
  sched::site where;
  trace::construct kind;
  std::uint32_t depth;
  path* first_child = nullptr;
  path* sibling = nullptr;

  counted work = {};  ///< ticks
  counted count = {}, iterations = {}, promoted = {}, stolen = {};
};

/// Returns the path that equals `p` in the running thread's tree; for null, the path of the root.
path& path_here(path* p) noexcept;

/// Returns the path of a fork or loop at `where` below `p`, a path of the running thread. Below the deepest level there
/// are no paths: a fork there counts for the nearest path above it with the same site, or else for the path of that
/// site directly below the root.
path& path_below(path& p, sched::site where, trace::construct kind) noexcept;

/// Adds all trees to the profile, as paths and sites. Other threads may still count, if one of them has called exit.
void merge_paths(trace::profile& into);

/// `lock_paths` and `unlock_paths` are called around fork(), `forget_counts` in the forked process, which has not
/// counted anything yet.
void lock_paths() noexcept;
void unlock_paths() noexcept;
void forget_counts() noexcept;

/// Returns the index of a site in the profile. Call it after `merge_paths`.
std::uint32_t index_of_site(const trace::profile& in, sched::site where);

}  // namespace tine::detail
