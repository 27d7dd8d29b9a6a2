// What a program wants of the fork or loop that its strand comes to next: who gets what. For front ends; the regions that heed it
// are tine::record and tine::replay.
#pragma once

#include <tine/sched/events.hpp>
#include <tine/sched/pool.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tine {

/// In place of a worker.
inline constexpr int nobody = -1;

/// From iteration `begin` of a loop on, counted from its first one, up to where the next piece begins, the iterations are that
/// worker's; `nobody`: of whoever runs those before.
struct cut {
  std::uint64_t begin = 0;
  int owner = nobody;
  friend bool operator==(const cut&, const cut&) = default;
};

/// `n` iterations in as many pieces as there are workers, of the same length up to one iteration: the k-th is worker k's.
std::vector<cut> block(std::uint64_t n, unsigned workers = worker_count());
/// `n` iterations in pieces of `length`, dealt out to the workers in turn. Throws std::invalid_argument for a length of 0.
std::vector<cut> cyclic(std::uint64_t n, std::uint64_t length = 1, unsigned workers = worker_count());

namespace sched {

/// The next fork of the running strand gives its second branch to that worker, if it is in a region. Throws std::logic_error if
/// it may not, std::invalid_argument for a number below `nobody`.
void want_owner(int owner);

/// As long as it lives, the loop that the running strand comes to is cut so. Throws std::invalid_argument if these are no cuts
/// of a loop of `n` iterations, or if an owner is below `nobody`, std::logic_error if it may not be cut.
class wanted_cuts {
 public:
  wanted_cuts(std::span<const cut> cuts, std::uint64_t n);
  wanted_cuts(const wanted_cuts&) = delete;
  wanted_cuts& operator=(const wanted_cuts&) = delete;
  ~wanted_cuts();

  std::span<const cut> cuts() const noexcept { return cuts_; }

 private:
  const std::span<const cut> cuts_;
  watch* at_ = nullptr;  ///< who was told
};

}  // namespace sched
}  // namespace tine
