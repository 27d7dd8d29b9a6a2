// The common part of the commands that run a program under a check and report what the check found: `tine race` and
// `tine doctor`.
#pragma once

#include "cli/palette.hpp"
#include "cli/profiled_run.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace tine::cli {

struct program_check_options {
  std::vector<std::string> read, command;
  std::string output;
  bool json = false, verbose = false;
};

/// Adds the options that both commands have. `verbose`: the help of that option.
void add_program_check_options(CLI::App& app, program_check_options& to, const char* verbose);

/// Prints a message of the command: `name` is "tine race" or "tine doctor".
void complain(const char* name, const std::string& what);

/// Throws refusal unless there is either a program to run or a profile to read. `only_for_runs`: which options that are
/// of no use with a profile were given, as in "--output and --determinism"; empty: none.
void check_sources(const program_check_options& o, const char* only_for_runs);

/// Prints a report, as JSON or as text, where the options want it. A report that cannot be written is a message.
void print_report(const char* name, const program_check_options& o, const std::function<std::string()>& json,
                  const std::function<std::string(const palette&)>& text);

/// A run of the program, and the profiles that it left. They are deleted with this object, unless `--output` keeps
/// them.
class program_check {
 public:
  /// Runs the program with TINE_PROFILE=`analyses`:FILE. The further arguments are those of `run_for_profiles`.
  program_check(const program_check_options& o, const std::string& analyses, variables more = {},
                std::uint64_t time_limit = 0);

  const profiled_run& its() const noexcept { return run_; }
  /// Returns how the program ended, as in "app was killed by signal 9 (Killed)"; an empty text if its exit code is 0.
  std::string ending() const;
  /// Prints the paths of the profiles, if they are kept.
  void print_paths() const;

 private:
  std::optional<temporary_folder> folder_;  ///< none: the profiles are kept
  std::string program_;
  profiled_run run_;
};

}  // namespace tine::cli
