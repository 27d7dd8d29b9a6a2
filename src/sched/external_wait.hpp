// A wait that a call from any thread ends: for waits that aren't joins of records.
#pragma once

#include "sched/join_counter.hpp"

#include <tine/detail/base/atomic.hpp>

#include <cstdint>

namespace tine::sched {

/// One wait of the running strand. The strand leaves its worker to other work, and continues on its thread or, if its
/// pool has another resume_policy, perhaps on another worker. Outside of every pool, and if the strand must keep its
/// thread, the thread blocks instead.
class external_wait final : placement_policy {
 public:
  /// `blocks`: the thread blocks in any case.
  explicit external_wait(bool blocks = false) noexcept;
  ~external_wait() { wait_until_unpinned(); }
  external_wait(const external_wait&) = delete;
  external_wait& operator=(const external_wait&) = delete;

  /// Waits for `end`. Call it at most once. If you don't call it, don't call `end` either.
  void wait() noexcept;
  /// Returns true if the wait blocks its thread. Then the thread may first wait until a moment of CLOCK_MONOTONIC, in
  /// nanoseconds: returns true if the wait is over by then.
  bool blocks() const noexcept { return where_ == nullptr; }
  bool wait_until(std::int64_t moment) noexcept;
  /// Ends the wait. Any thread may call it, once, also before `wait`. Afterwards the object may be gone.
  void end() noexcept;

 private:
  void block() noexcept;
  bool may_resume_here(join_counter&) noexcept override { return true; }
  bool dispatch(join_counter& r) noexcept override;
  void arrived_early() noexcept override {}

  // the states of a thread that blocks
  static constexpr std::uint32_t waits = 0;
  static constexpr std::uint32_t ended = 1;   ///< the other thread is about to wake it
  static constexpr std::uint32_t unused = 2;  ///< the other thread no longer touches the object
  /// a sleep after `ended` is short, because no call wakes its thread
  static constexpr std::uint32_t wake_timeout_us = 50;

  worker* const where_;          ///< null: the thread blocks
  region_strand* const strand_;  ///< the strand that waits, in its regions; null: it is in none
  join_counter both_{*this, 2};
  base::atomic<std::uint32_t> state_{waits};
};

}  // namespace tine::sched
