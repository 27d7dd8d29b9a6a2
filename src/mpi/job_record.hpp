// Records the work of the teams of this process, for its profile.
#pragma once

#include "base/mutex.hpp"
#include "mpi/idle_periods.hpp"

#include <tine/mpi/team_counters.hpp>
#include <tine/sched/job_part.hpp>

namespace tine::mpi::detail {

/// One for the process. It is never destroyed, because the profile is written when the process ends. Thread-safe.
class job_record {
 public:
  static job_record& instance();

  /// The process is a rank of a job. From now on its profile says so.
  void begin(int rank, int ranks);
  /// A call of a team has ended, and these are the counters of the team before and after it.
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
