// A thief: a worker without work, which looks for work, asks for it, and goes to sleep. One object per search.
#pragma once

#include "sched/worker.hpp"

#include <tine/base/clock.hpp>

namespace tine::sched {

class thief {
 public:
  explicit thief(worker& w) noexcept;
  /// Returns a task to run, or null when the worker's work is over.
  task* find() noexcept;
  /// Takes an entry of the worker's inbox or a task of its deque; returns null if there is none. The worker counts as
  /// idle in the demand.
  task* own_work() noexcept;

 private:
  worker& draw_victim() noexcept;
  std::uint64_t random() noexcept;
  task* search() noexcept;
  void join() noexcept;
  task* rob(worker& victim) noexcept;
  task* left_behind() noexcept;
  task* take_kept(worker& from) noexcept;
  task* rob_kept(worker& victim) noexcept;
  task* leave_with(task* t) noexcept;
  void leave() noexcept;

  // standing aside (callers.cpp)
  task* stand_aside() noexcept;
  task* look_aside() noexcept;
  task* rob_aside() noexcept;
  void rest_aside() noexcept;
  void stay_short() noexcept;
  std::uint32_t rest_limit() const noexcept;
  bool serves_my_root(const worker& w) const noexcept;
  bool others_have_work() noexcept;
  bool root_has_pending() noexcept;

  // asking
  void attend(worker& victim, base::ticks now) noexcept;
  void interrupt(worker& victim, base::ticks now) noexcept;
  bool is_lost(const worker& victim, worker::asked& asked) noexcept;
  void forget_rings() noexcept;

  // sleeping
  void sleep() noexcept;
  void keep_looking() noexcept;
  bool last_look(bool thorough) noexcept;
  bool ring_everybody() noexcept;
  bool work_in_sight(bool thorough) noexcept;
  std::uint32_t nap_limit() const noexcept;
  void start_over() noexcept;

  worker& me_;
  pool_state& pool_;
  base::ticks since_;  ///< the time since which it has looked in vain
  base::ticks next_ring_ = 0;
  base::ticks ring_gap_;
  base::ticks patience_;
};

}  // namespace tine::sched
