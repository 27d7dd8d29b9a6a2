// A team: the implicit tasks of a parallel region. Each member is a record on the shadow stack of the strand that meets
// the region, so there may be more members than workers; one that waits suspends its strand. A `team` lives until all
// members have ended.
#pragma once

#include "eventcount.hpp"
#include "task.hpp"
#include "team_barrier.hpp"
#include "thread_numbers.hpp"
#include "turns.hpp"
#include "workshare.hpp"

#include <cstdint>
#include <memory>

namespace tine::openmp {

struct open_region;

/// The league of `teams` that a team belongs to. One that is in none has a league of its own.
struct league_place {
  unsigned size = 1, number = 0;
};

/// The implicit task of one thread. The strand that runs it owns it.
struct member : task {
  member(openmp::team& of, task* met_by, int number) noexcept;

  workshare* at;                      ///< the construct that it is in, or was in last
  std::uint64_t trip = 0;             ///< chunks of a static schedule that it has taken
  std::uint64_t first = 0, last = 0;  ///< the iterations of its chunk in an ordered loop
  unsigned singles = 0;               ///< `single` constructs that it has met
  bool has_ordered_chunk = false;
  open_region* region = nullptr;  ///< from `start_region` to `end_region`
  unsigned barriers = 0;          ///< that the member has passed, as far as clang's cancellation counts them
  workshare* doacross = nullptr;  ///< of a doacross loop that clang has compiled, while the member is in it
};

struct team {
  team(unsigned members, task* met_by, bool takes_thieves) noexcept;

  /// Call it before the members start. `takes_turns`: the race detector checks the team.
  void become_native(bool takes_turns);

  const unsigned size;
  const unsigned level, active_level;
  task* const met_by;          ///< the encountering task; null in the team of an initial task
  const bool takes_thieves;    ///< deferred tasks make sense: there are workers, and more than one thread number
  const icvs* vars;            ///< that the members start with
  icvs nested_vars;            ///< their place, if they differ from those of the encountering task
  taskgroup* group = nullptr;  ///< that the members start in
  atomic<bool> cancelled{false};
  /// A loop that clang has compiled was cancelled after so many barriers, and one more.
  atomic<unsigned> cancelled_loop{0};
  atomic<bool> is_observed{false};  ///< an analysis or a schedule follows the strands
  atomic<bool> has_looked{false};   ///< `is_observed` is final; no stolen member starts before
  atomic<unsigned> singles{0};
  bool is_crowded = false;  ///< there are fewer workers than members, or fewer processors than native threads
  bool is_native = false;   ///< each member has a native thread; see native_threads.hpp
  std::unique_ptr<openmp::turns> turns;  ///< null: the members run at once
  void* copied = nullptr;                ///< what `single copyprivate` hands to the other members
  league_place league;
  thread_numbers numbers;
  workshare first_share;  ///< before the first construct, or the loop of a combined construct
  team_barrier barrier;

  atomic<bool> has_tasks{false};  ///< of native threads: those that wait had better look for tasks

  eventcount events;        ///< of barriers, turns, iterations and cancellation
  tine::mutex shares_lock;  ///< the next workshare is made under it
};

/// How many members a region gets that asks for `asked`; 0 means that it doesn't ask.
unsigned size_of_team(const task& met_by, unsigned asked);

/// Runs a region: `prepare(team)` before the members start, then `call(data)` in each of them. `returns` is the slot
/// with the return address in the program, and `of_program` its function, unless that is `call`.
void run_region(function call, void* data, unsigned size, const void* returns, void (*prepare)(team&, void*) = nullptr,
                void* with = nullptr, function of_program = nullptr);

/// Runs `call(data)` in an initial task of its own: it knows nothing of the regions around it.
void run_outside(function call, void* data);

/// The two halves of a region whose first member is the caller itself.
void start_region(function call, void* data, unsigned size, const void* returns,
                  void (*prepare)(team&, void*) = nullptr, void* with = nullptr);
void end_region();

/// Calls `call(data, number)` for each team of a league, one after the other. `thread_limit` may be 0: none. `returns`:
/// see run_region.
void run_league(unsigned teams, unsigned thread_limit, void (*call)(void*, unsigned), void* data, const void* returns);

/// Returns true if the region was cancelled. If `may_be_cancelled` is false, waits for all members anyway.
bool wait_at_barrier(member& me, bool may_be_cancelled);
void cancel_region(team& t);

/// Sleeps until a condition is met whose change wakes `t.events`. A native thread of a team without tasks blocks, since
/// there is nothing else to run.
template <class Condition>
void sleep_until(team& t, Condition is_met) noexcept {
  if (t.turns != nullptr) return t.turns->wait_until(static_cast<unsigned>(current().number), is_met);
  if (t.is_native) {
    t.events.block_until([&] { return is_met() || t.has_tasks.load(std::memory_order_relaxed); });  // relaxed: a hint
    if (is_met()) return;
  }
  t.events.suspend_until(is_met);
}

/// The team has a task that thieves may run. Native threads that wait look for tasks from the first one on.
inline void announce_task(team& t) noexcept {
  if (!t.is_native || t.has_tasks.load(std::memory_order_relaxed)) return;  // relaxed, here and below: a hint
  t.has_tasks.store(true, std::memory_order_relaxed);
  t.events.wake();
}

/// Ends a member: its children have ended, and others may use its thread number.
void end_member(member& me) noexcept;
/// Called by each member of a native team when it has ended: returns when all have.
void wait_for_members(team& t) noexcept;

/// Returns true in the member that shall execute the `single` construct.
bool is_first_at_single(member& me) noexcept;

/// The team of the ancestor at that level, and the ancestor's thread number; null if there is none.
struct ancestor {
  const team* of;
  int number;
};
ancestor ancestor_at(const task& of, int level) noexcept;

inline task::task(openmp::team* of, task* made_by, int thread, bool implicit, bool final, const icvs* values,
                  taskgroup* inside) noexcept
    : team{of},
      parent{made_by},
      number{thread},
      is_implicit{implicit},
      is_final{final},
      defer_below{of->takes_thieves && !final && !of->is_native ? hot::load<tine_abi_top>() + most_open_bytes : 0},
      vars{values},
      group{inside} {}

}  // namespace tine::openmp
