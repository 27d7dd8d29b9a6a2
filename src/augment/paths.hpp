// Fork paths: where strands are in the program's forks, with counts for each place. Every thread has a tree of its own,
// so that counting does not need atomic read-modify-writes; we merge the trees at the end.
#pragma once

#include "trace/profile.hpp"

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstdint>

namespace tine::detail {

class path_tree;

/// A number that one thread counts. Another thread may read it while the process ends; then any of the last values will
/// do, so the orders are relaxed.
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

/// A path of forks from a root, with a level for each level of recursion. Only the thread that owns the tree writes it.
struct path {
  path_tree* tree;
  path* parent;  ///< null: this is a path of roots; there is one for each phase
  sched::site where;
  trace::construct kind;
  std::uint32_t phase;  ///< in which the strands are; a number of phases.hpp
  std::uint32_t depth;
  path* first_child = nullptr;
  path* sibling = nullptr;

  counted work = {};  ///< ticks
  counted count = {}, iterations = {}, promoted = {}, stolen = {};
};

/// Returns the same path in the running thread's tree; for null, the path of roots in no phase.
path& path_here(path* p) noexcept;

/// Returns the path with the same forks as `p`, a path of the running thread, for strands in a phase.
path& path_in_phase(path& p, std::uint32_t phase) noexcept;

/// Returns the path of a fork or loop at `where` below `p`, a path of the running thread, in the same phase. There are
/// no paths below the deepest level. A fork there counts for the nearest path above it with the same site and phase, or
/// else for the path of that site directly below the root.
path& path_below(path& p, sched::site where, trace::construct kind) noexcept;

/// Adds all trees to the profile, as paths and sites. Other threads may still count if one of them has called exit.
void merge_paths(trace::profile& into);

/// Call `lock_paths` and `unlock_paths` around fork(), and `forget_counts` in the forked process, which has not counted
/// anything yet.
void lock_paths() noexcept;
void unlock_paths() noexcept;
void forget_counts() noexcept;

/// Returns the index of a site in the profile. Call it after `merge_paths`.
std::uint32_t index_of_site(const trace::profile& in, sched::site where);

}  // namespace tine::detail
