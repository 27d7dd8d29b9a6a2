// A run of a program with a profile, and the profiles that it and the processes below it wrote.
#pragma once

#include "cli/run_profiled.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tine::cli {

/// A temporary folder, which is removed with its contents.
class temporary_folder {
 public:
  /// Throws std::system_error if there can be no such folder.
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct profiled_run {
  child_end end;
  std::string expected;               ///< the path of the profile of the process that was started
  std::vector<std::string> profiles;  ///< the paths of all profiles, the main one first: see `run_for_profiles`
};

/// Runs `command` as `run_profiled` does, and collects the profiles. `asked` is an absolute path, in which %p stands
/// for a process id. The main profile is the one at the path that was asked for, which the first process writes; else
/// that of the process that was started; else that of any process.
profiled_run run_for_profiles(const std::vector<std::string>& command, const std::string& analyses,
                              const std::string& asked, variables more = {},
                              program_output output = program_output::unchanged, std::uint64_t time_limit = 0);

/// Says why there may be no profile, for a run without profiles.
std::string why_no_profile(const profiled_run& run, const std::string& program);

}  // namespace tine::cli
