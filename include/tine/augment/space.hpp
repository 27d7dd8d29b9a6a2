// The most memory that a parallel program may need under any schedule, and the places in the program that hold it then
// (augmentation, §4 and Appendix A).
#pragma once

#include <tine/augment/bytes_by_site.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tine {

/// A summary, in bytes, of the memory that a part of the computation graph allocated and freed. A *prefix* of the part
/// is a set of strands with all strands that precede them, where the last strands may be contained only up to a point:
/// it is what can have run at one moment. The empty prefix holds nothing, so the peaks are never negative. The number
/// of held bytes can be negative, because a part may free memory that another part allocated.
class space_profile {
 public:
  /// Returns the allocated bytes less the freed bytes of the whole part (the paper's δ).
  std::int64_t held() const noexcept { return held_; }
  /// Returns S₁: the most bytes that are held at once when one worker runs everything in order.
  std::int64_t serial_peak() const noexcept { return serial_peak_; }
  /// Returns S∞: the most bytes that a prefix holds, and therefore the most that any schedule on any number of workers
  /// can hold.
  std::int64_t worst_peak() const noexcept { return worst_peak_; }
  /// Returns, by site, the bytes that a prefix with S∞ bytes holds. Their sum is S∞. The number of a site is negative
  /// if the site frees more than it allocates.
  const bytes_by_site& witness() const noexcept { return witness_; }

  /// Counts that the strand at the end of this part holds `bytes` more, or less if `bytes` is negative.
  void add(std::int64_t bytes, std::uintptr_t site) {
    since_.add(site, bytes);
    held_ += bytes;
    serial_peak_ = std::max(serial_peak_, held_);
    if (held_ > worst_peak_) rise(held_);
  }

  /// Appends `next`, which runs after all of this part, in a serial run as in any other. Lemma: the worst peak of the
  /// series is the greater of this part's worst peak and `held()` plus the worst peak of `next`. Proof: the part that
  /// forks is followed by the parallel composition p of both branches. The empty prefix of p holds 0 bytes, and the
  /// whole of p holds p.held(). A prefix of the series is a prefix of this part, or all of this part and a prefix of p
  /// (paper, A.10), so the greater of the two maxima is the maximum. The cases of A.8 and A.9 that come after the join
  /// are those of `add`.
  void follow(space_profile&& next) {
    serial_peak_ = std::max(serial_peak_, held_ + next.serial_peak_);
    since_.add(std::move(next.witness_));
    if (held_ + next.worst_peak_ > worst_peak_) rise(held_ + next.worst_peak_);
    since_.add(std::move(next.since_));
    held_ += next.held_;
  }

  /// Composes this part with `other` in parallel. In a serial run `other` comes after this part.
  void beside(space_profile&& other) {
    serial_peak_ = std::max(serial_peak_, held_ + other.serial_peak_);
    worst_peak_ += other.worst_peak_;
    held_ += other.held_;
    witness_.add(std::move(other.witness_));
    since_.add(std::move(other.since_));
  }

 private:
  /// Makes the bytes that are held now the new maximum. Its witness is everything that was added so far.
  void rise(std::int64_t peak) {
    worst_peak_ = peak;
    witness_.add(std::move(since_));
  }

  std::int64_t held_ = 0, serial_peak_ = 0, worst_peak_ = 0;
  bytes_by_site witness_;  // the witness of S∞
  bytes_by_site since_;    // held at the end, but not by the witness; both maps together are `held_` by site
};

/// A vertex that measures the memory of all strands before it in its part of the graph. S₁ and S∞ are exact for the
/// sizes that the program reports by `alloc`, `free` and `hold`. A loop is the parallel composition of its iterations,
/// so the cuts of the loop make no difference; memory that a subrange allocates outside its iterations counts for the
/// iteration before. A fork and a join take time that grows with the number of sites in the maps, not with the number
/// of strands. A vertex belongs to the strand that it measures: `alloc`, `free` and `hold` are called by this strand
/// alone.
class space {
 public:
  /// Counts that the current strand has allocated `bytes`, at least 0. `site` is any number that distinguishes places
  /// in the program.
  void alloc(std::int64_t bytes, std::uintptr_t site = 0) {
    ++allocations_;
    allocated_ += static_cast<std::uint64_t>(bytes);
    part_.add(bytes, site);
  }
  /// Counts that the current strand has freed `bytes`, at least 0, which any strand may have allocated.
  void free(std::int64_t bytes, std::uintptr_t site = 0) {
    ++frees_;
    part_.add(-bytes, site);
  }

  /// Counts that the current strand holds `bytes` more, or less if `bytes` is negative. It is for memory without an
  /// allocation and a free for each block: frames of coroutines.
  void hold(std::int64_t bytes, std::uintptr_t site = 0) { part_.add(bytes, site); }

  /// Returns the profile of all strands up to this point, since the vertex was made. The counts below cover the same
  /// strands.
  const space_profile& profile() const noexcept { return part_; }
  /// Returns the number of allocations.
  std::uint64_t allocations() const noexcept { return allocations_; }
  /// Returns the number of frees.
  std::uint64_t frees() const noexcept { return frees_; }
  /// Returns the number of bytes that were allocated, in total.
  std::uint64_t allocated() const noexcept { return allocated_; }

  void join(space& left, space& right, space& after) {
    count(left);
    count(right);
    left.part_.beside(std::move(right.part_));
    part_.follow(std::move(left.part_));
    after = std::move(*this);
  }

  void loop(space&, std::uint64_t) noexcept {}
  void iteration(std::uint64_t, std::uint64_t) { end_iteration(); }
  void append(space& next) {
    count(next);
    end_iteration();
    next.end_iteration();
    ended_.beside(std::move(next.ended_));
  }
  void join_loop(space& subrange, space& after) {
    count(subrange);
    subrange.end_iteration();
    part_.follow(std::move(subrange.ended_));
    after = std::move(*this);
  }

 private:
  void count(const space& other) noexcept {
    allocations_ += other.allocations_;
    frees_ += other.frees_;
    allocated_ += other.allocated_;
  }
  void end_iteration() { ended_.beside(std::exchange(part_, {})); }

  space_profile part_;   // in a subrange of a loop: the current iteration
  space_profile ended_;  // in a subrange of a loop: the iterations before
  std::uint64_t allocations_ = 0, frees_ = 0, allocated_ = 0;
};

}  // namespace tine
