// work_span: how much a computation does, and the longest chain in it.
#pragma once

#include <tine/base/clock.hpp>
#include <tine/sched/events.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tine {

/// A vertex that measures work and span (Scheduler Augmentation, Figure 11), with the span burdened by what parallel execution
/// costs where it happens (Cilkview, §3), and counts forks. All of it in ticks of `base::ticks`; see `base::to_nanoseconds`.
///
/// Of a loop only chunks are measured, never single iterations, so of its span no more is known than an interval: its longest
/// iteration takes no longer than the longest chunk, and at least the average of that.
struct work_span {
  base::ticks work = 0;           ///< in all strands together
  base::ticks span_low = 0;       ///< the longest chain of strands takes at least so long,
  base::ticks span_high = 0;      ///< and no longer than this
  base::ticks burdened_span = 0;  ///< of span_high, with a burden for each fork, and for each level of a loop's halving
  std::uint64_t forks = 0;        ///< in the program's logic
  std::uint64_t offered = 0;      ///< of these, promoted; and parts of loops given away
  std::uint64_t taken = 0;        ///< of these, by another worker
  std::uint64_t loops = 0;
  std::uint64_t iterations = 0;  ///< of all loops

  /// What cannot be wrong about how much faster it can get: with whatever number of workers, no more than the second.
  double parallelism_low() const noexcept { return ratio(span_high); }
  double parallelism_high() const noexcept { return ratio(span_low); }

  void start(base::ticks now) noexcept { since_ = now; }
  void stop(base::ticks now) noexcept { run_for(now - since_); }
  void fork(work_span&, work_span&) noexcept {}
  void join(const work_span& left, const work_span& right, work_span& after, sched::branch_end how) const noexcept;

  void loop(work_span&, std::uint64_t) noexcept {}
  void chunk(std::uint64_t count, base::ticks now) noexcept;
  void append(work_span& next, bool was_taken) noexcept;
  void join_loop(work_span& piece, work_span& after) const noexcept;

 private:
  void run_for(base::ticks t) noexcept {
    work += t;
    span_low += t;
    span_high += t;
    burdened_span += t;
  }
  void add_counts(const work_span& other) noexcept;
  void end_chunk(std::uint64_t count) noexcept;
  double ratio(base::ticks span) const noexcept {
    return span == 0 ? 1 : static_cast<double>(work) / static_cast<double>(span);
  }

  /// Of a piece of a loop, whose spans above are those since its last chunk: the longest so far.
  struct longest_chunk {
    base::ticks low = 0, high = 0, burdened = 0;
    std::uint64_t chunks = 0;
  };

  base::ticks since_ = 0;
  longest_chunk longest_;
};

/// What a fork costs if its second branch runs elsewhere, as `tine calibrate` has measured it on this machine; else a usual
/// value. In ticks.
base::ticks fork_burden() noexcept;

}  // namespace tine
