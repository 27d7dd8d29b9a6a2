// Owners: the workers that a program wants for the branches or iterations of the next fork or loop of a strand. For
// front ends; the regions that follow these hints are tine::record and tine::replay.
#pragma once

#include <tine/detail/sched/observer.hpp>
#include <tine/sched/pool.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tine {

/// Means "no worker", where a worker's number is expected.
inline constexpr int any_worker = -1;

/// The begin of a subrange of a loop. The worker `owner` runs the iterations from `begin`, counted from the first
/// iteration of the loop, up to the begin of the next subrange. With the owner `any_worker`, the worker that runs the
/// iterations before the subrange also runs the subrange.
struct cut {
  std::uint64_t begin = 0;
  int owner = any_worker;
  friend bool operator==(const cut&, const cut&) = default;
};

/// Cuts `n` iterations into as many subranges as there are workers. The lengths of the subranges differ by at most one
/// iteration; the k-th subrange belongs to worker k.
std::vector<cut> block(std::uint64_t n, unsigned workers = worker_count());
/// Cuts `n` iterations into subranges of `length` iterations, which belong to the workers in turn. Throws
/// std::invalid_argument for a length of 0.
std::vector<cut> cyclic(std::uint64_t n, std::uint64_t length = 1, unsigned workers = worker_count());

namespace sched {

/// The next fork of the running strand places its second branch on the worker with the number `owner`, if the strand is
/// in a region. Throws std::logic_error if the fork must not do so, std::invalid_argument for a number below `any_worker`.
void hint_owner(int owner);

/// While it lives, the next loop of the running strand is cut at `cuts`. The constructor throws std::invalid_argument
/// if these are no cuts of a loop of `n` iterations, or if an owner is below `any_worker`, and std::logic_error if the loop
/// must not be cut.
class placement_hint {
 public:
  placement_hint(std::span<const cut> cuts, std::uint64_t n);
  placement_hint(const placement_hint&) = delete;
  placement_hint& operator=(const placement_hint&) = delete;
  ~placement_hint();

  std::span<const cut> cuts() const noexcept { return cuts_; }

 private:
  const std::span<const cut> cuts_;
  region_strand* at_ = nullptr;  ///< the strand that has these cuts; null: none
};

}  // namespace sched
}  // namespace tine
