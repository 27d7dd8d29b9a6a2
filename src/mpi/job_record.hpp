// Records what the teams of this process do, for its profile. Thread-safe.
#pragma once

#include "base/mutex.hpp"
#include "mpi/idle_periods.hpp"

#include <tine/mpi/team_counters.hpp>
#include <tine/sched/job_part.hpp>

namespace tine::mpi::detail {

/// There is one for the process, never destroyed, because the profile is written when the process ends. Thread-safe.
class job_record {
 public:
  static job_record& instance();

  /// The process is a rank of a job, and its profile says so from now on.
  void begin(int rank, int ranks);
  /// A call of a team has ended; these are the team's counters before and after it.
  void add_call(const team_counters& before, const team_counters& after);
  /// The rank had no work from `begin` to `end`.
  void add_idle(base::ticks begin, base::ticks end);

 private:
  sched::job_part part();

  base::mutex lock_;
  sched::job_part part_;  ///< without its periods
  idle_periods idle_;
};

}  // namespace tine::mpi::detail
