// The turns of a team's members: which one runs next, and what the race detector hears of it.
#include "turns.hpp"

#include "fail.hpp"
#include "task.hpp"
#include "team.hpp"

namespace tine::openmp {

void turns::wait_for_turn(unsigned me) noexcept {
  // acquire pairs with the release in `hand_to`: we see what the other members have written
  for (unsigned now = whose_.load(std::memory_order_acquire); now != me; now = whose_.load(std::memory_order_acquire))
    whose_.wait(now, std::memory_order_relaxed);  // relaxed: the load above looks again
}

void turns::hand_to(unsigned next) noexcept {
  whose_.store(next, std::memory_order_release);  // pairs with the acquire in wait_for_turn
  whose_.notify_all();
}

/// The next member that has not ended; `me` if there is none.
unsigned turns::after(unsigned me) const noexcept {
  const auto n = static_cast<unsigned>(members_.size());
  unsigned next = me;
  do {
    next = next + 1 == n ? 0 : next + 1;
  } while (next != me && members_[next].has_ended);
  return next;
}

void turns::pass(unsigned me) noexcept {
  const unsigned next = after(me);
  if (next == me || ++idle_turns_ > 2 * members_.size())
    fail(
        "all threads of a team wait for each other: a barrier that not all of them reach, or a lock that nobody frees.");
  const std::uint32_t held = tine_race_leave_thread();
  hand_to(next);
  wait_for_turn(me);
  tine_race_enter_thread(held);
}

void turns::open(std::uint64_t site) noexcept {
  tine_race_open_team(site, []() noexcept {
    const task& running = current();
    running.team->turns->let_others_run(static_cast<unsigned>(running.number));
  });
}

void turns::begin_thread(unsigned me) noexcept {
  wait_for_turn(me);
  tine_race_enter_thread(0);
}

void turns::begin(unsigned me, const void* frame) noexcept {
  idle_turns_ = 0;
  members_[me].phase = phase_;
  tine_race_begin_member(me, frame);
}

void turns::resume(unsigned me) noexcept {
  idle_turns_ = 0;
  if (members_[me].phase == phase_) return tine_race_give_up("a thread of an OpenMP team left a cancelled barrier");
  members_[me].phase = phase_;
  tine_race_resume_member(me);
}

void turns::continue_after_pause(unsigned me) noexcept {
  idle_turns_ = 0;
  tine_race_continue_member(me);
}

void turns::let_others_run(unsigned me) noexcept {
  if (after(me) == me) return;
  tine_race_pause_member(me);
  pass(me);
  continue_after_pause(me);
}

void turns::end_tasks() noexcept {
  for (const std::uint32_t set : sets_) tine_race_wait_for_tasks(set);
  sets_.clear();
}

void turns::end_phase(unsigned me) noexcept {
  end_tasks();
  tine_race_end_phase();
  ++phase_;
  resume(me);
}

void turns::end(unsigned me) noexcept {
  if (me != 0) {
    members_[me].has_ended = true;
    tine_race_leave_thread();
    return hand_to(after(me));
  }
  while (after(0) != 0) pass(0);
  end_tasks();
  tine_race_close_team();
}

}  // namespace tine::openmp
