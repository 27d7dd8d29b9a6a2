// Under `tine race` the members of a team take turns: each runs to the next barrier, to its end, or until it waits for
// another one, while the others wait. So the detector sees each phase of the team as a loop whose iterations are the
// members, and the program's races don't depend on timing. Each member has a native thread, because it keeps its stack
// while others run.
//
// Only the member whose turn it is touches the object, apart from `wait_for_turn`.
#pragma once

#include <tine/race/team.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

namespace tine::openmp {

/// Returns true if the race detector checks the whole process.
inline bool is_checked_for_races() noexcept {
  return tine_race_is_process_checked != nullptr && tine_race_is_process_checked() != 0;
}

/// Code of this library that frees or copies memory beside the program's. It is no part of the check.
class unchecked_scope {
 public:
  unchecked_scope() noexcept {
    if (tine_race_ignore_begin != nullptr) tine_race_ignore_begin();
  }
  ~unchecked_scope() {
    if (tine_race_ignore_end != nullptr) tine_race_ignore_end();
  }
  unchecked_scope(const unchecked_scope&) = delete;
  unchecked_scope& operator=(const unchecked_scope&) = delete;
};

class turns {
 public:
  explicit turns(unsigned members) : members_(members) {}

  /// The first member opens the team, before it begins. `site`: the return address in the program.
  void open(std::uint64_t site) noexcept;
  /// The thread of another member waits for its first turn.
  void begin_thread(unsigned me) noexcept;
  /// The member starts, with its variables below this frame.
  void begin(unsigned me, const void* frame) noexcept;
  /// Lets the other members run until the condition is met, in the midst of a phase.
  template <class Condition>
  void wait_until(unsigned me, Condition is_met) {
    if (is_met()) return;
    tine_race_pause_member(me);
    while (!is_met()) pass(me);
    continue_after_pause(me);
  }
  /// As wait_until, after the member has come to a barrier.
  template <class Condition>
  void wait_at_barrier(unsigned me, Condition is_met) {
    while (!is_met()) pass(me);
    resume(me);
  }
  /// The member seems to wait for another one.
  void let_others_run(unsigned me) noexcept;
  /// The member has come to the barrier as the last one.
  void end_phase(unsigned me) noexcept;
  /// The member has ended. The first one returns when all have.
  void end(unsigned me) noexcept;

  /// The tasks that a member has added, or a task of the team has. All of them have ended at the next barrier.
  void add_set(std::uint32_t set) { sets_.push_back(set); }

 private:
  struct place {
    unsigned phase = 0;      ///< in which it ran last
    bool has_ended = false;  ///< never the first one, which waits for the others
  };

  void pass(unsigned me) noexcept;
  void hand_to(unsigned next) noexcept;
  void resume(unsigned me) noexcept;
  void continue_after_pause(unsigned me) noexcept;
  void wait_for_turn(unsigned me) noexcept;
  unsigned after(unsigned me) const noexcept;
  void end_tasks() noexcept;

  std::atomic<unsigned> whose_{0};
  std::vector<place> members_;
  std::vector<std::uint32_t> sets_;
  unsigned phase_ = 1;
  unsigned idle_turns_ = 0;  ///< since a member has run code of the program
};

}  // namespace tine::openmp
