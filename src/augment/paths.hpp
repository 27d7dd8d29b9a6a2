// Fork paths: where in the program's forks strands are, with what they do there. Every thread has a tree of its own, so that
// counting takes no atomic operation; the trees are merged at the end.
#pragma once

#include "trace/profile.hpp"

#include <tine/base/atomic.hpp>
#include <tine/sched/events.hpp>

#include <cstdint>

namespace tine::detail {

class path_tree;

/// A number that one thread counts. Another one may read it while the process ends, when any of the last numbers will do: hence
/// relaxed.
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

/// One way of forks from a root, recursion and all. Only the thread that owns the tree writes it.
struct path {
  path_tree* tree;
  path* parent;  ///< null: of a root
  sched::site where;
  trace::construct kind;
  std::uint32_t depth;
  path* first_child = nullptr;
  path* sibling = nullptr;

  counted work = {};  ///< ticks
  counted count = {}, iterations = {}, offered = {}, taken = {};
};

/// The same path in the tree of the thread that runs; the root's for null.
path& path_here(path* p) noexcept;

/// What forks at `where` in a path of the thread that runs. Below the deepest level there are no paths: a fork there counts at its
/// own site on that level.
path& path_below(path& p, sched::site where, trace::construct kind) noexcept;

/// Adds all trees to the profile: its paths and sites. Other threads may still count, if one of them has called exit.
void merge_paths(trace::profile& into);

/// Around fork(); and in the process that was forked, where nothing has been counted yet.
void lock_paths() noexcept;
void unlock_paths() noexcept;
void forget_counts() noexcept;

/// The index of a site, after that.
std::uint32_t index_of_site(const trace::profile& in, sched::site where);

}  // namespace tine::detail
