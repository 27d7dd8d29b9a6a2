// Ranges of iterations of a loop of a team, which count from the begin of the loop.
#pragma once

#include <tine/base/ticks.hpp>
#include <tine/detail/base/macros.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tine::mpi::detail {

struct iteration_range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const noexcept { return end - begin; }
};

/// The ranges that wait on one rank, or that it has run. Thread-safe.
class waiting_ranges {
 public:
  /// Adds a range; joins it to the last one if it follows it.
  TINE_API void add(iteration_range r);
  /// Takes up to `wanted` iterations from the front, and no more than a fair share of all for `takers`; empty if none
  /// is left.
  TINE_API iteration_range take_front(std::uint64_t wanted, unsigned takers) noexcept;
  /// Takes the second half of the longest range, rounded up; empty if none is left, or if nothing was taken from the
  /// front since the last addition. Lemma: ranges do not travel between ranks for ever. Reason: a rank executes an
  /// iteration between the arrival of a range and the next gift.
  TINE_API iteration_range take_half() noexcept;
  /// Returns the ranges in their order; neighbours are joined.
  TINE_API std::vector<iteration_range> in_order() const;

 private:
  mutable std::mutex lock_;
  std::vector<iteration_range> all_;
  bool has_begun_ = false;  ///< something was taken from the front since the last addition
};

/// The number of iterations that a strand takes at once: as many as take 100 µs or a little more, so that the rest
/// stays free for other ranks while they run.
class piece_length {
 public:
  std::uint64_t next() const noexcept { return length_; }
  void learn(std::uint64_t ran, base::ticks took) noexcept {
    const base::ticks aim = base::to_ticks(100);
    if (took < aim && ran == length_) length_ *= 2;
    if (took > 4 * aim) length_ = std::max<std::uint64_t>(1, length_ / 2);
  }

 private:
  std::uint64_t length_ = 1;
};

}  // namespace tine::mpi::detail
