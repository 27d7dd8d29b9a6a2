// space: the most memory that a parallel program may need under any schedule, and who holds it then (augmentation, §4
// and Appendix A). Only a vertex's own strand changes it.
#pragma once

#include <tine/augment/bytes_by_site.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tine {

/// A summary, in bytes, of what a part of the computation graph allocated and freed. A *prefix* of the part is what can
/// have run at one moment: a set of strands together with all strands that precede them. The last ones may be included
/// only up to some point. The empty prefix holds nothing, so the peaks are never negative. The held bytes can be
/// negative, because a part may free memory that another part allocated.
class space_profile {
 public:
  /// Returns the allocated minus the freed bytes of the whole part (the paper's δ).
  std::int64_t held() const noexcept { return held_; }
  /// Returns S₁: the most bytes that are held at once when one worker runs everything in order.
  std::int64_t serial_peak() const noexcept { return serial_peak_; }
  /// Returns S∞: the most bytes that any prefix holds. No schedule on any number of workers holds more.
  std::int64_t worst_peak() const noexcept { return worst_peak_; }
  /// Returns, by site, what a prefix with S∞ bytes holds; the entries add up to S∞. A site that frees more than it
  /// allocates has a negative number.
  const bytes_by_site& witness() const noexcept { return witness_; }

  /// Counts that the strand at the end of this part holds `bytes` more, or less if negative.
  void add(std::int64_t bytes, std::uintptr_t site) {
    since_.add(site, bytes);
    held_ += bytes;
    serial_peak_ = std::max(serial_peak_, held_);
    if (held_ > worst_peak_) rise(held_);
  }

  /// Appends `next`, which runs after all of this part. Lemma: the worst peak of the series is the greater of this
  /// part's worst peak and `held()` plus the worst peak of `next`. Proof: the part that forks is followed by the
  /// parallel composition p of both branches. The empty prefix of p holds 0 bytes, and the whole of p holds p.held(). A
  /// prefix of the series is a prefix of this part, or all of this part and a prefix of p (paper, A.10), so the greater
  /// of both maxima is the maximum. The cases of A.8 and A.9 that come after the join are those of `add`.
  void follow(space_profile&& next) {
    serial_peak_ = std::max(serial_peak_, held_ + next.serial_peak_);
    since_.add(std::move(next.witness_));
    if (held_ + next.worst_peak_ > worst_peak_) rise(held_ + next.worst_peak_);
    since_.add(std::move(next.since_));
    held_ += next.held_;
  }

  /// Composes this part in parallel with `other`, which comes later in a serial run.
  void beside(space_profile&& other) {
    serial_peak_ = std::max(serial_peak_, held_ + other.serial_peak_);
    worst_peak_ += other.worst_peak_;
    held_ += other.held_;
    witness_.add(std::move(other.witness_));
    since_.add(std::move(other.since_));
  }

 private:
  /// Makes what is held now the new maximum. Its witness is everything that was added so far.
  void rise(std::int64_t peak) {
    worst_peak_ = peak;
    witness_.add(std::move(since_));
  }

  std::int64_t held_ = 0, serial_peak_ = 0, worst_peak_ = 0;
  bytes_by_site witness_;  // what is held at S∞
  bytes_by_site since_;    // held at the end, but not at S∞; both maps together are `held_` by site
};

/// A vertex that measures the memory of all strands before it in its part of the graph. S₁ and S∞ are exact for the
/// sizes that the program reports by `alloc`, `free` and `hold`. A loop is the parallel composition of its iterations,
/// however it is cut; memory that a subrange allocates outside its iterations counts for the iteration before. Forks
/// and joins take time that grows with the number of sites in the maps, not with the number of strands. Only the strand
/// that a vertex measures may call `alloc`, `free` and `hold`.
class space {
 public:
  /// Counts that the current strand has allocated `bytes`, at least 0. `site` is any number that tells places in the
  /// program apart.
  void alloc(std::int64_t bytes, std::uintptr_t site = 0) {
    ++allocations_;
    allocated_ += static_cast<std::uint64_t>(bytes);
    part_.add(bytes, site);
  }
  /// Counts that the current strand has freed `bytes`, at least 0; any strand may have allocated them.
  void free(std::int64_t bytes, std::uintptr_t site = 0) {
    ++frees_;
    part_.add(-bytes, site);
  }

  /// Counts that the current strand holds `bytes` more, or less if negative. Use it for memory that does not come in
  /// blocks, as frames of coroutines.
  void hold(std::int64_t bytes, std::uintptr_t site = 0) { part_.add(bytes, site); }

  /// Returns the profile of all strands since the vertex was made, up to this point. The counts below cover the same
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
