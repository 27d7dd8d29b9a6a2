// The profiles of the ranks of one job, joined: figures of the job and of each rank, and one profile of all.
#pragma once

#include "report/summary.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tine::report {

/// A stretch of time, since the first rank of the job began.
struct stretch {
  std::uint64_t begin = 0, wall = 0;
};

/// A rank of a job.
struct rank_view {
  trace::rank_totals counted;
  std::string file;                              ///< its profile
  stretch life;                                  ///< from the begin of the process to its profile
  std::uint64_t work = 0;                        ///< in its roots
  double work_share = 0;                         ///< of the work of all ranks
  double without_work_share = 0;                 ///< of the time in calls that share work
  std::vector<stretch> roots;                    ///< the time in roots; they do not overlap
  std::vector<trace::idle_period> idle_periods;  ///< `begin` is since the first rank began
};

/// A job, as far as the profiles of its ranks are there.
struct job {
  std::uint32_t ranks = 0;             ///< number of ranks that the job had
  std::vector<std::uint32_t> missing;  ///< ranks without a profile
  std::uint64_t wall = 0;              ///< from the begin of the first rank to the last profile
  /// All roots, and all processes. The work is the sum over the ranks. The ranks run side by side, but the critical
  /// path may lead from rank to rank, which no profile knows: so the span is at least the longest of a rank, and at
  /// most the sum over all ranks.
  extent roots, process;
  std::vector<rank_view> by_rank;
};

/// A profile, the name of its file, and its summary, for which places are not needed.
struct member {
  std::string file;
  trace::profile profile;
  report::summary summary;
};

/// Says why the profiles are not those of different ranks of one job; empty if they are.
std::string why_no_job(const std::vector<member>& all);

/// Joins the profiles of ranks of a job, in the order of ranks. `why_no_job` must be empty.
job join(const std::vector<member>& all);

/// Returns one profile of all ranks: with all their roots, paths, points and nodes, and their sites by the place in the
/// program. Addresses are those of the first member: modules that others have mapped elsewhere are moved. It is not one
/// that the reader would accept, and the time outside of roots that follows from it means nothing; `describe` corrects
/// that. Findings of checks are left out.
trace::profile joined_profile(const std::vector<member>& all);

/// Replaces those figures in the summary of the joined profile that hold for a process and not for a job.
void describe(summary& of, const job& j, const std::vector<member>& all);

}  // namespace tine::report
