// The vertex of a profile with `grain`: it measures work and span, and counts by fork path.
#pragma once

#include "augment/paths.hpp"
#include "augment/resolution.hpp"
#include "trace/profile.hpp"

#include <tine/augment/work_span.hpp>

#include <cstdint>

namespace tine::detail {

class profiled : public work_span {
 public:
  static constexpr bool only_counts_short_loops = false;  // each place in the program counts all its loops

  void start(base::ticks now) noexcept;
  void stop(base::ticks now) noexcept;
  void fork(profiled& left, profiled& right, sched::site where) noexcept;
  void join(profiled& left, profiled& right, sched::branch_end how) noexcept;
  void loop(profiled& subrange, std::uint64_t n, sched::site where) const noexcept;
  void chunk(std::uint64_t count, base::ticks now) noexcept;
  void append(profiled& next, sched::branch_end how) noexcept;
  void join_loop(profiled& subrange) noexcept;

  /// Called before the strand of a root starts, which is in the phase.
  void begin_in(std::uint32_t of_root) noexcept;
  /// The strand enters the phase: its time from now on belongs to it.
  void enter(std::uint32_t into, base::ticks now) noexcept;

  /// The work of this strand without the branches that it forked. For the root's strand: the work beside which nothing
  /// can run.
  base::ticks own_work = 0;
  std::uint32_t phase = trace::nothing;  ///< a number of phases.hpp
  /// The path at which the strand is, in the tree of its thread.
  path* here = nullptr;

 private:
  void note_point(const work_span& below, sched::site where) const noexcept;

  sched::site forked_at_ = 0;
  sched::site loop_at_ = 0;  // in a subrange: the site of its loop; several subranges may be prepared at once
  // In a subrange: the counts of the loop itself, with all of its iterations. `work_span` counts them
  // together with those of the forks and loops in its iterations.
  std::uint64_t own_iterations_ = 0, own_promoted_ = 0, own_stolen_ = 0;
};

/// `lock_notes` and `unlock_notes` are called around fork(), `forget_points` in the forked process, which has no points
/// yet. They lock and forget the phases, too.
void lock_notes() noexcept;
void unlock_notes() noexcept;
void forget_points() noexcept;

/// Adds all points to the profile, which has its sites and costs already.
void merge_points(trace::profile& into);

}  // namespace tine::detail
