// A run of a program with a profile, and the report behind it: for `tine profile` and `tine omp --profile`.
#pragma once

#include "cli/run_profiled.hpp"
#include "report/resolve_sites.hpp"

#include <string>
#include <vector>

namespace tine::cli {

/// Returns the analyses of a profile for which none were asked, separated by commas.
std::string usual_analyses();

struct reported_run {
  std::vector<std::string> command;
  std::string analyses = usual_analyses();
  std::string output;          ///< the path of the profile, with %p for the process id; empty: tine-%p.profile
  report::shown_frames shown;  ///< in the report
  bool quiet = false;          ///< writes the profile, but no report
};

/// Runs the program with TINE_PROFILE set and `more` variables. Prints the report and the paths of all profiles to
/// standard error. Returns the exit code of the program. Throws refusal if it left no profile.
int profile_and_report(const reported_run& o, const variables& more);

}  // namespace tine::cli
