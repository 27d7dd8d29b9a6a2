// The choices of a perturbed run: where strands are placed, which first branches wait, and the order of ready strands.
// All of them follow from a seed, because one strand runs at a time and makes the choices in its order.
#pragma once

#include "replay/turns.hpp"

#include <tine/detail/base/splitmix64.hpp>
#include <tine/sched/placement_hint.hpp>

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace tine::detail {

class perturbation {
 public:
  explicit perturbation(std::uint64_t seed) noexcept;

  /// Returns true if the next fork or loop is placed.
  bool places() noexcept;
  /// Returns true if the first branch of a placed fork waits at the fork.
  bool delays() noexcept { return draw_() % 8 < delay_; }
  /// Returns true if the strand returns to its worker after a join, and false if it continues where the last strand
  /// arrived.
  bool returns() noexcept { return draw_() % 2 == 0; }
  /// Returns the number of one of `workers` workers.
  int worker(unsigned workers) noexcept { return static_cast<int>(draw_() % workers); }
  /// Returns the rank of a strand that becomes ready.
  rank priority() noexcept { return 1 + draw_() % (unscheduled_rank - 1); }
  /// Returns the partition of a loop of `n` iterations, at least 2. It lives as long as this object.
  std::span<const placed_subrange> partition(std::uint64_t n, unsigned workers);

  /// Returns true if nothing more is placed.
  bool is_spent() const noexcept { return placed_ >= most_placed; }

 private:
  static constexpr unsigned dense = 500, most_placed = 20'000;

  /// Returns true if the next fork or loop is one of those of which some are placed.
  bool considers() noexcept;

  base::splitmix64 draw_;
  unsigned place_ = 8, delay_ = 4;  ///< in eighths
  unsigned placed_ = 0;
  std::uint64_t asked_ = 0;  ///< the forks and loops so far
  std::deque<std::vector<placed_subrange>> partitions_;
};

}  // namespace tine::detail
