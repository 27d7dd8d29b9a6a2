// How much memory a parallel program may need at most, whatever the schedule, and who holds it then (augmentation, §4 and
// Appendix A).
#pragma once

#include <tine/augment/bytes_by_site.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tine {

/// What is known of the memory that a part of the computation graph allocated and freed, in bytes. A *prefix* of it is a set of
/// strands, the last ones perhaps in part, with all that precedes them: what can have run at one moment. The empty one holds
/// nothing, so the peaks are never negative. What is held can be: a part may free what came from elsewhere.
class space_profile {
 public:
  /// Allocated less freed, by the whole part (the paper's δ).
  std::int64_t held() const noexcept { return held_; }
  /// S₁: the most that is held at once when one worker runs everything in order.
  std::int64_t serial_peak() const noexcept { return serial_peak_; }
  /// S∞: the most that a prefix holds, thus the most that any schedule on any number of workers can.
  std::int64_t worst_peak() const noexcept { return worst_peak_; }
  /// By site, what a prefix with S∞ bytes holds. The sum is S∞. Negative where a site frees more than it allocates.
  const bytes_by_site& witness() const noexcept { return witness_; }

  /// `bytes` more are held, or less if negative, by the strand at the end of this part.
  void add(std::int64_t bytes, std::uintptr_t site) {
    since_.add(site, bytes);
    held_ += bytes;
    serial_peak_ = std::max(serial_peak_, held_);
    if (held_ > worst_peak_) rise(held_);
  }

  /// `next` follows this part: after all of it, or in a serial run.
  /// Lemma: a part of two branches is followed by their parallel composition p, whose empty prefix has 0 bytes and whose whole
  /// has p.held(). A prefix of the sum is one of this part, or all of it and one of p (paper, A.10), so the greater of the two
  /// maxima is the maximum; and the cases of A.8 and A.9 that come after the join are those of `add`.
  void follow(space_profile&& next) {
    serial_peak_ = std::max(serial_peak_, held_ + next.serial_peak_);
    since_.add(std::move(next.witness_));
    if (held_ + next.worst_peak_ > worst_peak_) rise(held_ + next.worst_peak_);
    since_.add(std::move(next.since_));
    held_ += next.held_;
  }

  /// `other` runs beside this part, and after it in a serial run.
  void beside(space_profile&& other) {
    serial_peak_ = std::max(serial_peak_, held_ + other.serial_peak_);
    worst_peak_ += other.worst_peak_;
    held_ += other.held_;
    witness_.add(std::move(other.witness_));
    since_.add(std::move(other.since_));
  }

 private:
  /// What is held now is the new maximum, and its witness all that was added so far.
  void rise(std::int64_t peak) {
    worst_peak_ = peak;
    witness_.add(std::move(since_));
  }

  std::int64_t held_ = 0, serial_peak_ = 0, worst_peak_ = 0;
  bytes_by_site witness_;  // of S∞
  bytes_by_site since_;    // what is held at the end and not by the witness; both together are `held_` by site
};

/// A vertex that measures the memory of all strands before it in its part of the graph: S₁ and S∞ exactly, by the sizes that it
/// is told. A loop is the parallel composition of its iterations, so how it was cut makes no difference; memory that a piece
/// allocates outside its iterations counts for the iteration before.
class space {
 public:
  /// The current strand has allocated `bytes`. `site` is any number that tells places in the program apart.
  void alloc(std::int64_t bytes, std::uintptr_t site = 0) {
    ++allocations_;
    allocated_ += static_cast<std::uint64_t>(bytes);
    part_.add(bytes, site);
  }
  /// The current strand has freed `bytes`, whoever allocated them.
  void free(std::int64_t bytes, std::uintptr_t site = 0) {
    ++frees_;
    part_.add(-bytes, site);
  }

  /// The current strand holds `bytes` more, or less if negative, which nobody allocates or frees one by one: frames of coroutines.
  void hold(std::int64_t bytes, std::uintptr_t site = 0) { part_.add(bytes, site); }

  /// Of all strands up to here, since the vertex was made.
  const space_profile& profile() const noexcept { return part_; }
  std::uint64_t allocations() const noexcept { return allocations_; }
  std::uint64_t frees() const noexcept { return frees_; }
  /// Bytes, in all.
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
  void join_loop(space& piece, space& after) {
    count(piece);
    piece.end_iteration();
    part_.follow(std::move(piece.ended_));
    after = std::move(*this);
  }

 private:
  void count(const space& other) noexcept {
    allocations_ += other.allocations_;
    frees_ += other.frees_;
    allocated_ += other.allocated_;
  }
  void end_iteration() { ended_.beside(std::exchange(part_, {})); }

  space_profile part_;   // in a piece: of the current iteration
  space_profile ended_;  // in a piece: of the iterations before
  std::uint64_t allocations_ = 0, frees_ = 0, allocated_ = 0;
};

}  // namespace tine
