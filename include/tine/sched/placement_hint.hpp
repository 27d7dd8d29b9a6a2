// Placement hints: the workers that a program names for the branches or iterations of a strand's next fork or loop.
// They are for front ends; tine::record and tine::replay are the regions that follow them. Only the running strand's
// thread uses a hint.
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

/// The start of a subrange of a loop. Worker `worker` runs the iterations from `begin`, counted from the loop's first
/// iteration, up to where the next subrange starts. If it is `any_worker`, the worker of the iterations before the
/// subrange runs the subrange, too.
struct placed_subrange {
  std::uint64_t begin = 0;
  /// a worker's number, or `any_worker`
  int worker = any_worker;
  friend bool operator==(const placed_subrange&, const placed_subrange&) = default;
};

/// Divides `n` iterations into as many subranges as there are workers. Their lengths differ by at most one iteration;
/// the k-th subrange belongs to worker k.
TINE_API std::vector<placed_subrange> block(std::uint64_t n, unsigned workers = worker_count());
/// Divides `n` iterations into subranges of `length` iterations, which belong to the workers in turn. Throws
/// std::invalid_argument for a length of 0.
TINE_API std::vector<placed_subrange> cyclic(std::uint64_t n, std::uint64_t length = 1,
                                             unsigned workers = worker_count());

namespace sched {

/// The next fork of the running strand places its second branch on the worker with the number `worker`, if the strand
/// is in a region. Throws std::logic_error if the fork must not do so, and std::invalid_argument for a number below
/// `any_worker`.
TINE_API void hint_worker(int worker);

/// While it lives, the running strand's next loop is divided by this partition. The constructor throws
/// std::invalid_argument if this isn't a partition of a loop of `n` iterations, or if a worker is below `any_worker`.
/// It throws std::logic_error if the loop must not be placed.
class placement_hint {
 public:
  TINE_API placement_hint(std::span<const placed_subrange> partition, std::uint64_t n);
  placement_hint(const placement_hint&) = delete;
  placement_hint& operator=(const placement_hint&) = delete;
  TINE_API ~placement_hint();

  /// Returns the subranges, sorted by where they start.
  std::span<const placed_subrange> partition() const noexcept { return partition_; }

 private:
  const std::span<const placed_subrange> partition_;
  region_strand* at_ = nullptr;  ///< the strand that has this hint; null: none
};

}  // namespace sched
}  // namespace tine
