// A league of teams. The encountering task executes one team after the other, as the initial task of each.
#include "icvs.hpp"
#include "task.hpp"
#include "team.hpp"

namespace tine::openmp {

void run_league(unsigned teams, unsigned thread_limit, void (*call)(void*, unsigned), void* data) {
  task& me = current();
  const icvs* const before = me.vars;
  const league_place outer = me.team->league;
  if (thread_limit == 0) thread_limit = static_cast<unsigned>(process().teams_thread_limit);
  if (thread_limit != 0) change_vars(me, [&](icvs& v) { v.thread_limit = thread_limit; });
  const icvs* const of_teams = me.vars;
  for (unsigned i = 0; i < teams; ++i) {
    me.team->league = {teams, i};
    me.vars = of_teams;
    call(data, i);
  }
  me.team->league = outer;
  me.vars = before;
}

}  // namespace tine::openmp
