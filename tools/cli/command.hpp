// The interface between main and the subcommands. Each subcommand is one file, which registers its options and the
// function to run.
#pragma once

#include "cli/refusal.hpp"

#include <functional>

namespace CLI {
class App;
}

namespace tine::cli {

/// The exit codes. Each subcommand's help documents those that it uses.
enum exit_code : int {
  success = 0,
  /// A finding. `tine check`: a limit is exceeded; `tine diff --fail-above`: work or span grew; `tine schedule diff`:
  /// there is a difference. `tine ir` and `tine ml`: a bad program, or one that is not formatted. `tine race`: there
  /// are races; `tine doctor`: there are findings; `tine perturb`: a run failed.
  limit_exceeded = 1,
  usage_error = 2,  ///< wrong usage, a file that cannot be read or written, a program that wrote no profile
  /// `tine check`: the profile cannot judge a limit, and no other limit is exceeded. `tine race`: a part of the run was
  /// not checked, and the rest has no race.
  unjudged = 3,
};

/// A registered subcommand. main calls `run` if the user chose it; `run` returns the exit code.
struct command {
  CLI::App* options = nullptr;
  std::function<int()> run;
};

command add_profile(CLI::App& tine);
command add_omp(CLI::App& tine);
command add_report(CLI::App& tine);
command add_race(CLI::App& tine);
command add_doctor(CLI::App& tine);
command add_diff(CLI::App& tine);
command add_check(CLI::App& tine);
command add_export(CLI::App& tine);
command add_predict(CLI::App& tine);
command add_whatif(CLI::App& tine);
command add_simulate(CLI::App& tine);
command add_calibrate(CLI::App& tine);
command add_schedule(CLI::App& tine);
command add_perturb(CLI::App& tine);
command add_topology(CLI::App& tine);
command add_completion(CLI::App& tine);
command add_man(CLI::App& tine);

}  // namespace tine::cli
