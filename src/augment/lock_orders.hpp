// The orders in which strands took locks, as they are recorded during a run, and the cycles in them.
#pragma once

#include "augment/lock_edge.hpp"
#include "augment/locked.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace tine::detail {

/// A lock was taken, or is about to be, while another one was held.
struct recorded_order {
  lock_edge edge;
  const void* from = nullptr;  ///< the lock that was held
  const void* to = nullptr;
  std::uint32_t taken = 0, event = 0;     ///< the numbers of the calls that took `from` and `to`
  labels::shared_path<lock_step> around;  ///< of the strand
  std::uint64_t branch = 0;
};

class lock_orders {
 public:
  /// Records that a strand that holds `held` takes `to` by the call `stack`. Orders with the same locks and calls are
  /// kept a few times only, because it matters which strands are parallel, but not how many.
  void add(const locked& strand, const std::vector<held_lock>& held, lock_use to, const void* at, std::uint32_t stack);

  /// Returns the cycles, one for each set of calls, as indices of `orders`. `ended`: the ends of the roots.
  std::vector<std::vector<std::size_t>> cycles(const std::map<std::uint64_t, std::uint64_t>& ended);

  const std::vector<recorded_order>& orders() const noexcept { return orders_; }
  std::uint64_t kinds() const noexcept { return known_.size(); }
  std::uint64_t dropped() const noexcept { return dropped_; }
  bool was_cut() const noexcept { return was_cut_; }

 private:
  /// Both locks, both calls, and all locks that were held.
  using key = std::tuple<lock_number, lock_number, std::uint32_t, std::uint32_t, std::vector<std::uint64_t>>;

  std::vector<std::size_t> in_cycles() const;

  std::vector<recorded_order> orders_;
  std::map<key, unsigned> known_;  ///< with the number of orders that were kept
  std::uint64_t dropped_ = 0;
  bool was_cut_ = false;
};

}  // namespace tine::detail
