// Teams and tasks of other runtimes, which report themselves by <tine/race/team.hpp>.
#include "../race_case.hpp"

#include <tine/race/team.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

namespace {

using race_test::keep;

constexpr std::uint64_t site = 1;
constexpr int members = 3;

/// Runs `member(phase, i)` for each member in each phase, with a barrier between phases.
template <class F>
[[gnu::noinline]] void run_team(int phases, F member) {
  tine_race_open_team(site, nullptr);
  for (int phase = 0; phase < phases; ++phase) {
    if (phase != 0) tine_race_end_phase();
    for (int i = 0; i < members; ++i) {
      if (phase == 0) {
        tine_race_begin_member(static_cast<std::uint64_t>(i), __builtin_frame_address(0));
      } else {
        tine_race_resume_member(static_cast<std::uint64_t>(i));
      }
      member(phase, i);
    }
  }
  tine_race_close_team();
}

/// Adds a task to a set. We never free it, because that would race with the task.
void add(std::uint32_t& set, std::function<void()> f) {
  auto* const kept = new std::function<void()>(std::move(f));
  tine_race_add_task(&set, site, [](void* at) noexcept { (*static_cast<std::function<void()>*>(at))(); }, kept);
}

RACE_ON_X(members_of_a_team) {
  run_team(1, [&](int, int i) {
    if (i == 0) x = 1;
    if (i == 2) (its.racy ? x : y) = 2;
  });
  x = y = 3;
}

// A barrier orders what is before it and what is behind it.
RACE_ON_X(barrier_of_a_team) {
  run_team(2, [&](int phase, int i) {
    if (phase == 0 && i == 2) x = 1;
    if (phase == (its.racy ? 0 : 1) && i == 0) x = 2;
  });
}
RACE_ON_X(members_behind_a_barrier) {
  run_team(2, [&](int phase, int i) {
    if (phase == 1 && i == 0) x = 1;
    if (phase == 1 && i == 1) (its.racy ? x : y) = 2;
    if (phase == 0) {
      int z = x;
      keep(z);
    }
  });
}

RACE_ON_X(team_inside_of_a_member) {
  run_team(1, [&](int, int i) {
    if (i == 1) {
      run_team(2, [&](int phase, int k) {
        if (phase == 1 && k == 0) x = 1;
      });
      x = 2;
    } else if (i == 2) {
      (its.racy ? x : y) = 3;
    }
  });
}

// A fork around a team, and forks in its members.
RACE_ON_X(team_and_forks) {
  tine::par(
      [&] {
        run_team(2, [&](int phase, int i) {
          if (phase == 1 && i == 1) tine::par([&] { x = 1; }, [&] { y = 1; });
        });
        x = 2;
      },
      [&] {
        if (its.racy) x = 3;
      });
}

GUARDED_CASE(member_that_acquires) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  run_team(1, [&](int, int i) {
    if (i == 0) {
      x = 1;
      ready.store(true, std::memory_order_release);
    } else if (i == 1 ? ready.load(std::memory_order_acquire) : its.racy) {
      int y = x;
      keep(y);
    }
  });
}

GUARDED_CASE(members_under_a_lock) {
  int x = 0, lock = 0;
  its.races_on(x);
  run_team(1, [&](int, int) {
    if (!its.racy) tine_race_note_lock(&lock, 0);
    ++x;
    if (!its.racy) tine_race_note_unlock(&lock);
  });
  keep(x);
}

/// A team in which the first member pauses once, and the others run meanwhile.
template <class F, class G, class H>
[[gnu::noinline]] void run_with_pause(F before, G other, H behind) {
  tine_race_open_team(site, nullptr);
  tine_race_begin_member(0, __builtin_frame_address(0));
  before();
  tine_race_pause_member(0);
  for (int i = 1; i < members; ++i) {
    tine_race_begin_member(static_cast<std::uint64_t>(i), __builtin_frame_address(0));
    other(i);
  }
  tine_race_continue_member(0);
  behind();
  tine_race_close_team();
}

// A member knows what it has done before the pause, and nothing that the others have done meanwhile.
RACE_ON_X(member_that_pauses) {
  const auto other = [&](int i) {
    if (i == 1 && its.racy) x = 2;
  };
  run_with_pause([&] { x = 1; }, other, [&] { x = 3; });
}
RACE_ON_X(member_behind_a_pause) {
  const auto other = [&](int i) {
    if (i == 1) x = 1;
  };
  run_with_pause([] {}, other, [&] { (its.racy ? x : y) = 2; });
}

// The earlier reader is the member itself, so it doesn't stand for the later one.
RACE_ON_X(readers_on_both_sides_of_a_pause) {
  const auto read = [&] {
    int z = x;
    keep(z);
  };
  const auto other = [&](int i) {
    if (i == 2 && its.racy) read();
  };
  run_with_pause(read, other, [&] { x = 1; });
}

GUARDED_CASE(pause_until_something_is_released) {
  std::atomic<bool> ready = false;
  int x = 0;
  its.races_on(x);
  its.races_on(ready);
  const auto publish = [&](int i) {
    if (i != 2) return;
    x = 1;
    ready.store(true, std::memory_order_release);
    if (its.racy) x = 2;
  };
  const auto use = [&] {
    if (ready.load(std::memory_order_acquire)) x = 3;
  };
  run_with_pause([] {}, publish, use);
}

RACE_ON_X(task_of_a_set) {
  std::uint32_t set = 0;
  add(set, [&] { x = 1; });
  if (its.racy) x = 2;
  tine_race_wait_for_tasks(set);
  x = 3;
}

// The wait for a task isn't one for those that it has added to another set.
RACE_ON_X(task_of_a_task) {
  std::uint32_t outer = 0, inner = 0;
  add(outer, [&] { add(inner, [&] { x = 1; }); });
  tine_race_wait_for_tasks(outer);
  if (its.racy) x = 2;
  tine_race_wait_for_tasks(inner);
  x = 3;
}

// Two tasks follow a third one, and not each other.
RACE_ON_X(tasks_that_follow_another) {
  std::uint32_t first = 0, second = 0, third = 0;
  add(first, [&] { x = y = 1; });
  add(second, [&] {
    tine_race_follow_tasks(first);
    x = 2;
  });
  add(third, [&] {
    tine_race_follow_tasks(first);
    (its.racy ? x : y) = 3;
  });
  for (const std::uint32_t set : {first, second, third}) tine_race_wait_for_tasks(set);
  x = 4;
}
// The tasks of a member end at the barrier.
RACE_ON_X(tasks_of_members) {
  std::uint32_t set = 0;
  run_team(2, [&](int phase, int i) {
    if (phase == 0 && i == 0) add(set, [&] { x = 1; });
    if (phase == 0 && i == 1 && its.racy) x = 2;
    if (phase == 0 && i == 2) tine_race_wait_for_tasks(set);
    if (phase == 1 && i == 1) x = 3;
  });
}

}  // namespace
