// Placement hints: the workers that a program names for the branches or iterations of the next fork or loop of a
// strand. For front ends; the regions that follow these hints are tine::record and tine::replay.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/sched/observer.hpp>
#include <tine/sched/pool.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tine {

/// Means "no worker", where a worker's number is expected.
inline constexpr int any_worker = -1;

/// The begin of a subrange of a loop. The worker `worker` runs the iterations from `begin`, counted from the first
/// iteration of the loop, up to the begin of the next subrange. If it is `any_worker`, the worker that runs the
/// iterations before the subrange also runs the subrange.
struct placed_subrange {
  std::uint64_t begin = 0;
  /// a worker's number, or `any_worker`
  int worker = any_worker;
  friend bool operator==(const placed_subrange&, const placed_subrange&) = default;
};

/// Returns a partition of `n` iterations into as many subranges as there are workers. The lengths of the subranges
/// differ by at most one iteration; the k-th subrange belongs to worker k.
TINE_API std::vector<placed_subrange> block(std::uint64_t n, unsigned workers = worker_count());
/// Returns a partition of `n` iterations into subranges of `length` iterations, which belong to the workers in turn.
/// Throws std::invalid_argument for a length of 0.
TINE_API std::vector<placed_subrange> cyclic(std::uint64_t n, std::uint64_t length = 1,
                                             unsigned workers = worker_count());

namespace sched {

/// The next fork of the running strand places its second branch on the worker with the number `worker`, if the strand
/// is in a region. Throws std::logic_error if the fork must not do so, std::invalid_argument for a number below
/// `any_worker`.
TINE_API void hint_worker(int worker);

/// While it lives, the next loop of the running strand is run by this partition. The constructor throws
/// std::invalid_argument if this is no partition of a loop of `n` iterations, or if a worker is below `any_worker`, and
/// std::logic_error if the loop must not be placed.
class placement_hint {
 public:
  TINE_API placement_hint(std::span<const placed_subrange> partition, std::uint64_t n);
  placement_hint(const placement_hint&) = delete;
  placement_hint& operator=(const placement_hint&) = delete;
  TINE_API ~placement_hint();

  /// Returns the subranges, sorted by their begins.
  std::span<const placed_subrange> partition() const noexcept { return partition_; }

 private:
  const std::span<const placed_subrange> partition_;
  region_strand* at_ = nullptr;  ///< the strand that has this hint; null: none
};

}  // namespace sched
}  // namespace tine
