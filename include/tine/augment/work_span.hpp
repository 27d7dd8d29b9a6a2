// work_span: the vertex that measures a computation's work, and its span: the longest chain of strands.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tine {

namespace detail {
TINE_API extern base::atomic<base::ticks> known_fork_burden;
TINE_API TINE_COLD base::ticks find_fork_burden_plainly() noexcept;
TINE_SLOW_PATH base::ticks find_fork_burden() noexcept { return find_fork_burden_plainly(); }
}  // namespace detail

/// Returns the cost, in ticks, of a fork whose second branch runs elsewhere: what `tine calibrate` has measured on this
/// machine, or else a typical value.
inline base::ticks fork_burden() noexcept {
  // relaxed: the number does not publish other data, and a thread that reads 0 finds the same number
  const base::ticks known = detail::known_fork_burden.load(base::relaxed);
  return known != 0 ? known : detail::find_fork_burden();
}

/// A vertex that measures work and span (Scheduler Augmentation, Figure 11) and the burdened span, which includes the
/// costs of parallel execution where they occur (Cilkview, §3); it also counts forks. All times are in `base::ticks`;
/// see `base::to_nanoseconds`. A fork and its join take constant time and no memory. Read the results on the strand
/// that the vertex belongs to, or after the computation has ended on any thread.
///
/// In a loop the vertex measures chunks, never single iterations, so it knows only an interval for the loop's span. The
/// longest iteration takes at most as long as the longest chunk, and at least as long as the average iteration of any
/// chunk. A loop that ends before a thief could start is only counted, because reading the clock twice would take
/// longer than the loop. We time a few such loops of each kind and estimate the others from these. The upper end of the
/// span contains this time as a whole. The lower end contains only its fraction 2⁻ᵏ, where k = ⌈log₂ n⌉ for n
/// iterations, and is computed with the estimate plus a quarter.
struct work_span : sched::short_loops {
  /// Tells the runtime that this vertex only counts short loops.
  static constexpr bool only_counts_short_loops = true;

  work_span() noexcept {}  // leaves the members of a subrange uninitialised, because each fork makes two vertices

  base::ticks work = 0;        ///< the time of all strands together
  std::uint64_t forks = 0;     ///< forks in the program's logic
  std::uint64_t promoted = 0;  ///< forks, and subranges of loops, that were promoted or placed
  std::uint64_t stolen = 0;    ///< branches and subranges among these that another worker ran
  /// loops in the program's logic
  std::uint64_t loops = 0;
  std::uint64_t iterations = 0;  ///< iterations of all loops that have started, also of those that an exception leaves

  /// Returns the lower end of the span. The longest chain of strands takes at most `span_high()`. It takes at least
  /// `span_low()`, unless short loops took more time than we estimated (src/augment/README.md, Lemma (short loops)).
  base::ticks span_low() const noexcept { return chain(beside_low_); }
  /// Returns the upper end of the span; see `span_low`.
  base::ticks span_high() const noexcept { return chain(beside_high_); }
  /// Returns `span_high()` with a burden for each fork, and for each level of a loop's halving.
  base::ticks burdened_span() const noexcept { return chain(beside_burdened_); }

  /// Returns the lower end of the parallelism, which is work divided by span. With enough workers the computation can
  /// become faster by a factor of at least `parallelism_low()`, which is certain, and at most `parallelism_high()`, if
  /// the condition of `span_low` holds.
  double parallelism_low() const noexcept { return ratio(span_high()); }
  /// Returns the upper end of the parallelism; see `parallelism_low`.
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
    promoted += left.promoted + right.promoted;
    stolen += left.stolen + right.stolen;
    loops += left.loops + right.loops;
    iterations += left.iterations + right.iterations;
    if (how == sched::branch_end::unpromoted) [[likely]]
      return;
    ++promoted;
    stolen += how == sched::branch_end::stolen;
  }

  /// While the branches of a fork run on its strand, the vertex counts both (tine/augment/vertex.hpp). It
  /// keeps what it had at the fork and at the end of the first branch; the differences are those of the branches. The
  /// short loops around the fork are put aside, because those in a branch are shared by themselves.
  struct open_fork {
    using vertex = work_span;     ///< the vertex that keeps it
    base::ticks work;             ///< up to the fork
    base::ticks first_work;       ///< up to the end of the first branch
    std::int64_t low;             ///< work beside the lower end of the span, up to the fork
    std::int64_t high;            ///< beside its upper end
    std::int64_t burdened;        ///< beside the burdened span
    std::int64_t first_low;       ///< as `low`, up to the end of the first branch
    std::int64_t first_high;      ///< as `high`, up to there
    std::int64_t first_burdened;  ///< as `burdened`, up to there
    std::uint64_t levels;         ///< of the short loops that are open around the fork
    std::int64_t unshared;        ///< the lower span before these loops; negative: none is open
  };
  /// The first branch of a fork begins.
  TINE_ALWAYS_INLINE void continue_in_first(open_fork& f) noexcept {
    f.work = work;
    f.low = apart(beside_low_);
    f.high = apart(beside_high_);
    f.burdened = beside_burdened_;
    f.levels = deepest;  // equal to `open`, because the vertex has stopped
    f.unshared = unshared_;
    put_loops_aside();
  }
  /// The first branch has ended, and the second one begins.
  TINE_ALWAYS_INLINE void continue_in_second(open_fork& f) noexcept {
    f.first_work = work;
    f.first_low = apart(beside_low_);
    f.first_high = apart(beside_high_);
    f.first_burdened = beside_burdened_;
    put_loops_aside();
  }
  /// The fork ends, and both branches ran on its strand.
  TINE_ALWAYS_INLINE void continue_after(open_fork& f, sched::branch_end how) noexcept {
    const auto first = static_cast<length>(f.first_work - f.work), second = static_cast<length>(work - f.first_work);
    const auto burden = static_cast<length>(fork_burden());
    beside_low_ = lesser(beside_low_ + (first + f.low - f.first_low), second + f.first_low);
    beside_high_ = lesser(beside_high_ + (first + f.high - f.first_high), second + f.first_high);
    beside_burdened_ =
        lesser(beside_burdened_ + (first + f.burdened - f.first_burdened), second + f.first_burdened) - burden;
    end_fork(f, how);
  }
  /// The fork ends, and a thief ran the second branch, which has the vertex `second`.
  TINE_API void continue_after(open_fork& f, const work_span& second, sched::branch_end how) noexcept;

  /// Called between `stop` and `start`: in between the strand ran unobserved. It and all that it forked took `ran`
  /// together, and at most `high` of that was one after the other. The lower end of the span gets none of it.
  void skip(base::ticks ran, base::ticks high, std::uint64_t observed_forks) noexcept {
    work += ran;
    forks += observed_forks;
    beside_low_ += static_cast<length>(ran);
    beside_high_ += static_cast<length>(ran - high);
    beside_burdened_ += static_cast<length>(ran - high);
  }

  void loop(work_span& subrange, std::uint64_t n) const noexcept { subrange.longest_ = {0, 0, 0, 0, n}; }
  TINE_API void chunk(std::uint64_t count, base::ticks now) noexcept;
  TINE_API void append(work_span& next, sched::branch_end how) noexcept;
  TINE_API void join_loop(work_span& subrange) noexcept;

 private:
  using length = std::int64_t;  // work beside a chain; negative where the burdens exceed it

  static constexpr length none_open = -1;
  static constexpr base::ticks counting = 8;

  /// Returns the lesser number. The empty `asm` of `apart` prevents vectorisation: two minima in a vector take longer,
  /// and longer still if the vector is loaded from memory that was written in pieces a moment ago.
  TINE_ALWAYS_INLINE static length lesser(length a, length b) noexcept { return apart(std::min(a, b)); }
  TINE_ALWAYS_INLINE static length apart(length x) noexcept {
    asm("" : "+r"(x));
    return x;
  }
  /// Starts a branch: no short loop is open in it.
  TINE_ALWAYS_INLINE void put_loops_aside() noexcept {
    if (deepest == 0) [[likely]]
      return;
    open = deepest = 0;
    unshared_ = none_open;
  }
  TINE_ALWAYS_INLINE void end_fork(const open_fork& f, sched::branch_end how) noexcept {
    ++forks;
    if ((deepest | f.levels) != 0) [[unlikely]] {
      open = deepest = f.levels;
      unshared_ = f.unshared;
    }
    if (how == sched::branch_end::unpromoted) [[likely]]
      return;
    ++promoted;
    stolen += how == sched::branch_end::stolen;
  }
  void add_counts(const work_span& other) noexcept {
    work += other.work;
    forks += other.forks;
    promoted += other.promoted;
    stolen += other.stolen;
    loops += other.loops;
    iterations += other.iterations;
  }
  void begin_chunk() noexcept {
    beside_low_ = beside_high_ = beside_burdened_ = static_cast<length>(work);
    unshared_ = std::min(unshared_, length{0});
  }
  /// Returns the estimated time inside the short loops since we last read the clock, plus a quarter. Counting a loop
  /// takes some nanoseconds, and the rate contains only a part of them.
  base::ticks time_inside() const noexcept { return inside / fractions * 5 / 4 + begun * counting; }
  TINE_API void end_chunk(std::uint64_t count) noexcept;
  TINE_SLOW_PATH void share_span(base::ticks last) noexcept { share_span_plainly(last); }
  TINE_API TINE_COLD void share_span_plainly(base::ticks last) noexcept;
  base::ticks chain(length beside) const noexcept { return work - static_cast<base::ticks>(beside); }
  double ratio(base::ticks span) const noexcept {
    return span == 0 ? 1 : static_cast<double>(work) / static_cast<double>(span);
  }

  /// The longest chunk of a subrange so far. The subrange's own spans are those since its last chunk.
  struct longest_chunk {
    base::ticks low, high, burdened;
    std::uint64_t chunks;
    std::uint64_t of;  ///< the iterations of the loop
  };

  // We store a span as the work beside its chain, i.e. the work that is not on it: then the end of a strand is one
  // addition. At a join the shorter chain is beside the longer one, so we add the lesser of the work beside either
  // chain.
  length beside_low_ = 0, beside_high_ = 0, beside_burdened_ = 0;
  base::ticks since_ = 0;
  length unshared_ = none_open;  ///< the lower span before the short loops that were open when we last read the clock
  longest_chunk longest_;
};

}  // namespace tine
