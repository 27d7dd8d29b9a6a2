// The barrier of a team, and the end of its members: their words, without the waits. A member that doesn't come last
// sleeps in an eventcount until its condition is met, and the last one wakes it. Any member may call all functions.
#pragma once

#include "atomic.hpp"

namespace tine::openmp {

class team_barrier {
 public:
  explicit team_barrier(unsigned members) noexcept : members_{members} {}

  /// The generation that the member arrives in next.
  unsigned generation() const noexcept {
    return generation_.load(std::memory_order_relaxed);  // relaxed: it can't end before the member arrives
  }
  /// Returns true in the member that arrives last. It has started the next generation; no member can arrive in that
  /// before.
  bool arrive(unsigned generation) noexcept {
    // acq_rel pairs with itself in the other members: the last one passes on what all of them wrote
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 != members_) return false;
    arrived_.store(0, std::memory_order_relaxed);                  // relaxed: the generation publishes it
    generation_.store(generation + 1, std::memory_order_release);  // pairs with the acquire in `has_ended`
    return true;
  }
  /// If it returns true, the member sees what all members wrote before they arrived.
  bool has_ended(unsigned generation) const noexcept {
    return generation_.load(std::memory_order_acquire) != generation;  // pairs with the release in `arrive`
  }
  /// The member has arrived, and leaves, because the region was cancelled.
  void withdraw() noexcept {
    arrived_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a cancelled region has no more barriers
  }

  /// A member ends. Returns true in the last one, which sees what all members wrote before.
  bool end_member() noexcept {
    // acq_rel pairs with itself in the other members, and with the acquire in `have_all_ended`
    return ended_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_;
  }
  /// If it returns true, the member sees the same.
  bool have_all_ended() const noexcept {
    return ended_.load(std::memory_order_acquire) == members_;  // pairs with the release in `end_member`
  }

 private:
  const unsigned members_;
  atomic<unsigned> arrived_{0};
  atomic<unsigned> generation_{0};
  atomic<unsigned> ended_{0};
};

}  // namespace tine::openmp
