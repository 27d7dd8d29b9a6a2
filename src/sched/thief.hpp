// A thief: a worker without work, which looks for work, requests it, and goes to sleep. One object per search.
#pragma once

#include "sched/worker.hpp"

#include <tine/detail/sched/submitted_root.hpp>

#include <tine/base/ticks.hpp>

namespace tine::sched {

class thief {
 public:
  explicit thief(worker& w) noexcept;
  /// Returns a task to run, or null when the worker's work is over.
  task* find() noexcept;
  /// Takes a submission from the worker's inbox or a task from its deque; returns null if there is none. The worker
  /// counts as idle in the demand.
  task* own_work() noexcept;

 private:
  worker& draw_victim() noexcept;
  task* search() noexcept;
  task* try_steal(worker& victim) noexcept;
  task* give_up() noexcept;
  task* take_root(root_priority how) noexcept;
  task* take_pinned() noexcept;
  task* steal_from(worker& from) noexcept;
  task* take_affine(worker& from) noexcept;
  task* try_steal_affine(worker& victim) noexcept;
  void enter() noexcept;
  task* leave(task* t) noexcept;

  // standing aside (callers.cpp)
  task* stand_aside() noexcept;
  task* look_aside() noexcept;
  task* steal_aside() noexcept;
  void park_aside() noexcept;
  void stay_short() noexcept;
  std::uint32_t aside_park_timeout() const noexcept;
  bool serves_my_root(const worker& w) const noexcept;
  bool others_have_work() noexcept;
  bool root_has_pending() noexcept;

  // work requests
  void request_work(worker& victim, base::ticks now) noexcept;
  void note_sight(bool pending) noexcept;
  void interrupt(worker& victim, base::ticks now) noexcept;
  bool is_lost(const worker& victim, victim_note& note) noexcept;

  // sleeping
  void sleep() noexcept;
  void keep_looking() noexcept;
  bool pre_sleep_check(bool thorough) noexcept;
  bool request_from_all() noexcept;
  bool work_in_sight(bool thorough) noexcept;
  std::uint32_t park_timeout() const noexcept;
  void start_over() noexcept;

  worker& me_;
  pool_state& pool_;
  base::ticks since_;  ///< the time since which it has looked in vain
  base::ticks next_request_ = 0;
  base::ticks request_gap_;
  base::ticks patience_;
  bool sees_work_ = false;   ///< it has seen a pending record; for the timeline
  unsigned vain_looks_ = 0;  ///< number of looks at victims without one, since the last one that had one
};

}  // namespace tine::sched
