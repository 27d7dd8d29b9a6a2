// The vertex of a profile with `grain`: work and span, and who forks how much where.
#pragma once

#include "augment/paths.hpp"
#include "augment/resolution.hpp"
#include "trace/profile.hpp"

#include <tine/augment/work_span.hpp>

#include <cstdint>

namespace tine::detail {

class profiled : public work_span {
 public:
  static constexpr bool only_counts_brief_loops = false;  // places in the program are told of all of theirs

  void start(base::ticks now) noexcept;
  void stop(base::ticks now) noexcept;
  void fork(profiled& left, profiled& right, sched::site where) noexcept;
  void join(profiled& left, profiled& right, sched::branch_end how) noexcept;
  void loop(profiled& piece, std::uint64_t n, sched::site where) const noexcept;
  void chunk(std::uint64_t count, base::ticks now) noexcept;
  void append(profiled& next, sched::branch_end how) noexcept;
  void join_loop(profiled& piece) noexcept;

  /// Of all strands of the root, what nothing can run beside: this one's, without what it forked.
  base::ticks own_work = 0;
  std::uint32_t phase = trace::nothing;
  /// Where the strand is; its thread's.
  path* here = nullptr;

 private:
  void note_point(const work_span& below, sched::site where) const noexcept;

  sched::site forked_at_ = 0;
  sched::site loop_at_ = 0;  // of a piece: where its loop is; pieces are prepared at the same time
  // Of a piece: what the loop itself counts. `work_span` counts the same together with the forks and loops in its iterations.
  std::uint64_t own_iterations_ = 0, own_offered_ = 0, own_taken_ = 0;
};

/// The number of a phase, the same for the same name.
std::uint32_t number_of_phase(const char* name);

/// Around fork(); and in the process that was forked, which has no points yet.
void lock_notes() noexcept;
void unlock_notes() noexcept;
void forget_points() noexcept;

/// Adds all points and phases to the profile, whose sites and costs are there already.
void merge_points(trace::profile& into);

}  // namespace tine::detail
