// work_span: how much a computation does, and the longest chain in it.
#pragma once

#include <tine/base/atomic.hpp>
#include <tine/base/clock.hpp>
#include <tine/base/config.hpp>
#include <tine/sched/events.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tine {

namespace detail {
extern base::atomic<base::ticks> known_fork_burden;
TINE_COLD base::ticks find_fork_burden_plainly() noexcept;
TINE_SLOW_PATH base::ticks find_fork_burden() noexcept { return find_fork_burden_plainly(); }
}  // namespace detail

/// What a fork costs if its second branch runs elsewhere, as `tine calibrate` has measured it on this machine; else a usual
/// value. In ticks.
inline base::ticks fork_burden() noexcept {
  // relaxed: a number, and whoever reads 0 finds the same one
  const base::ticks known = detail::known_fork_burden.load(base::relaxed);
  return known != 0 ? known : detail::find_fork_burden();
}

/// A vertex that measures work and span (Scheduler Augmentation, Figure 11), with the span burdened by what parallel execution
/// costs where it happens (Cilkview, §3), and counts forks. All of it in ticks of `base::ticks`; see `base::to_nanoseconds`.
///
/// Of a loop only chunks are measured, never single iterations, so of its span no more is known than an interval: its longest
/// iteration takes no longer than the longest chunk, and at least the average of that. A loop that is over sooner than a thief
/// could help is only counted, because two readings of the clock would take longer than it does. A few such loops of each kind are
/// timed, and the time of the others is estimated from these. On the upper end of the span that time is whole, on the lower end its
/// part 2⁻ᵏ, where k = ⌈log₂ n⌉ for n iterations; the lower end takes the estimate with a quarter more.
struct work_span : sched::brief_loops {
  static constexpr bool only_counts_brief_loops = true;

  work_span() noexcept {}  // which leaves out what only a piece of a loop has: a fork makes two of these

  base::ticks work = 0;       ///< in all strands together
  std::uint64_t forks = 0;    ///< in the program's logic
  std::uint64_t offered = 0;  ///< of these, promoted; and parts of loops given away
  std::uint64_t taken = 0;    ///< of these, by another worker
  std::uint64_t loops = 0;
  std::uint64_t iterations = 0;  ///< of all loops

  /// The longest chain of strands takes no longer than the second. It takes at least the first unless more time was spent in brief
  /// loops than was estimated (src/augment/README.md, Lemma (brief)).
  base::ticks span_low() const noexcept { return chain(beside_low_); }
  base::ticks span_high() const noexcept { return chain(beside_high_); }
  /// The second with a burden for each fork, and for each level of a loop's halving.
  base::ticks burdened_span() const noexcept { return chain(beside_burdened_); }

  /// With enough workers the computation can become faster by at least the first factor, which is certain, and by no more than the
  /// second one, on the same condition as `span_low`.
  double parallelism_low() const noexcept { return ratio(span_high()); }
  double parallelism_high() const noexcept { return ratio(span_low()); }

  void start(base::ticks now) noexcept { since_ = now; }
  TINE_ALWAYS_INLINE void stop(base::ticks now) noexcept {
    work += now - since_;
    if (deepest != 0) [[unlikely]]
      share_span(now - since_);
  }
  void fork(work_span&, work_span&) noexcept {}
  TINE_ALWAYS_INLINE void join(const work_span& __restrict left, const work_span& __restrict right,
                               sched::branch_end how) noexcept {
    const auto burden = static_cast<length>(fork_burden());
    const auto first = static_cast<length>(left.work), second = static_cast<length>(right.work);
    beside_low_ += lesser(first + right.beside_low_, second + left.beside_low_);
    beside_high_ += lesser(first + right.beside_high_, second + left.beside_high_);
    beside_burdened_ += lesser(first + right.beside_burdened_, second + left.beside_burdened_) - burden;
    work += left.work + right.work;
    forks += left.forks + right.forks + 1;
    offered += left.offered + right.offered;
    taken += left.taken + right.taken;
    loops += left.loops + right.loops;
    iterations += left.iterations + right.iterations;
    if (how == sched::branch_end::unoffered) [[likely]]
      return;
    ++offered;
    taken += how == sched::branch_end::stolen;
  }

  void loop(work_span& piece, std::uint64_t) const noexcept { piece.longest_ = {}; }
  void chunk(std::uint64_t count, base::ticks now) noexcept;
  void append(work_span& next, sched::branch_end how) noexcept;
  void join_loop(work_span& piece) noexcept;

 private:
  using length = std::int64_t;  // of what is beside a chain: less than none where burdens are more

  static constexpr length none_open = -1;
  static constexpr base::ticks counting = 8;

  /// Compilers would rather do two of these at once, in vectors, which takes longer, and longer still to read what was written
  /// in other pieces a moment ago.
  TINE_ALWAYS_INLINE static length lesser(length a, length b) noexcept {
    length least = std::min(a, b);
    asm("" : "+r"(least));
    return least;
  }
  void add_counts(const work_span& other) noexcept {
    work += other.work;
    forks += other.forks;
    offered += other.offered;
    taken += other.taken;
    loops += other.loops;
    iterations += other.iterations;
  }
  void begin_chunk() noexcept {
    beside_low_ = beside_high_ = beside_burdened_ = static_cast<length>(work);
    unshared_ = std::min(unshared_, length{0});
  }
  /// The estimated time inside of the brief loops since the last reading, with a quarter more. Counting a loop takes some nanoseconds,
  /// of which the rate has only a part.
  base::ticks time_inside() const noexcept { return inside / fractions * 5 / 4 + begun * counting; }
  void end_chunk(std::uint64_t count) noexcept;
  void share_span(base::ticks last) noexcept;
  base::ticks chain(length beside) const noexcept { return work - static_cast<base::ticks>(beside); }
  double ratio(base::ticks span) const noexcept {
    return span == 0 ? 1 : static_cast<double>(work) / static_cast<double>(span);
  }

  /// Of a piece of a loop, whose spans are those since its last chunk: the longest so far.
  struct longest_chunk {
    base::ticks low, high, burdened;
    std::uint64_t chunks;
  };

  // A span is kept as the work that is not on the chain, beside it: then the end of a strand is one addition. Of two branches
  // the shorter chain is beside the longer one, so a join adds the lesser of what would be beside either.
  length beside_low_ = 0, beside_high_ = 0, beside_burdened_ = 0;
  base::ticks since_ = 0;
  length unshared_ = none_open;  ///< the shorter chain before brief loops that were open when the clock was last read
  longest_chunk longest_;
};

}  // namespace tine
