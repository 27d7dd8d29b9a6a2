// The state of a team on one rank, from call to call. Only the strand that calls the team, and the thread that may call
// MPI during a call, touch it.
#pragma once

#include "mpi/post.hpp"

#include <tine/mpi/environment.hpp>
#include <tine/mpi/team.hpp>

#include <mpi.h>

#include <deque>
#include <utility>

namespace tine::mpi::detail {

class team_state {
 public:
  team_state(environment& in, const team_options& o);
  /// Collective: receives what other ranks have sent and no call has received.
  ~team_state();
  team_state(const team_state&) = delete;
  team_state& operator=(const team_state&) = delete;

  environment& in;
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  const team_options options;
  std::uint32_t call = 0;  ///< number of calls that have started
  post mail;
  /// Messages of calls that this rank has not started, with the ranks that sent them.
  std::deque<std::pair<int, message>> early;
  team_counters totals;

 private:
  static MPI_Comm copy_of(MPI_Comm c);
};

}  // namespace tine::mpi::detail
