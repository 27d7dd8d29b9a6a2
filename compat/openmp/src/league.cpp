// A league of teams. The encountering task executes one team after the other, as the initial task of each.
#include "icvs.hpp"
#include "native_threads.hpp"
#include "task.hpp"
#include "team.hpp"

namespace tine::openmp {

namespace {

/// To the race detector the teams are the members of a team, because they may run in parallel elsewhere.
template <class Call>
void run_checked(task& me, unsigned teams, const void* returns, Call call) {
  const auto run_all = [&] {
    const auto before = hot::load<tine_abi_own>();
    set_current(&me);
    tine_race_open_team(*static_cast<const std::uintptr_t*>(returns), nullptr);
    for (unsigned i = 0; i < teams; ++i) {
      tine_race_begin_member(i, __builtin_frame_address(0));
      call(i);
    }
    tine_race_close_team();
    hot::store<tine_abi_own>(before);
  };
  call_among_native_threads([](void* f) { (*static_cast<decltype(run_all)*>(f))(); },
                            const_cast<void*>(static_cast<const void*>(&run_all)));
}

}  // namespace

void run_league(unsigned teams, unsigned thread_limit, void (*call)(void*, unsigned), void* data, const void* returns) {
  task& me = current();
  const icvs* const before = me.vars;
  const league_place outer = me.team->league;
  if (thread_limit == 0) thread_limit = static_cast<unsigned>(process().teams_thread_limit);
  if (thread_limit != 0) change_vars(me, [&](icvs& v) { v.thread_limit = thread_limit; });
  const icvs* const of_teams = me.vars;
  const auto run_one = [&](unsigned i) {
    me.team->league = {teams, i};
    me.vars = of_teams;
    call(data, i);
  };
  if (teams > 1 && is_checked_for_races()) {
    run_checked(me, teams, returns, run_one);
  } else {
    for (unsigned i = 0; i < teams; ++i) run_one(i);
  }
  me.team->league = outer;
  me.vars = before;
}

}  // namespace tine::openmp
