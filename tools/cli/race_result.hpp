// The results of `tine race`: plain data, from which its texts, its JSON and its exit code follow.
#pragma once

#include "cli/load.hpp"
#include "report/suppressions.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tine::cli {

/// A profile of a checked process.
struct checked_process {
  std::string path;     ///< of the profile
  std::string problem;  ///< why the profile cannot be read; empty if it can
  loaded read;

  /// Returns true if the profile says what the detector saw.
  bool has_totals() const { return !read.profile.race.empty(); }
  /// Returns the number of accesses that the detector saw: 0 if the process is not instrumented.
  std::uint64_t accesses() const;
  /// Returns the reason why a part of the run was not checked; an empty string if all of it was.
  std::string incomplete() const { return has_totals() ? read.profile.race.front().incomplete : ""; }
  /// Returns true if the process is instrumented, or the detector says why it could not check it.
  bool is_judged() const { return accesses() != 0 || !incomplete().empty(); }
};

struct race_result {
  std::vector<checked_process> processes;  ///< the main one first
  std::vector<report::suppression> suppressions;
  std::string ending;  ///< how the program failed, as in "./app was killed by signal 9 (Killed)"; empty if it did not
  int program_code = 0;

  /// Returns the number of races of all processes.
  std::uint64_t races() const;
  std::uint64_t suppressed() const;
  bool is_incomplete() const;
  /// Returns true if a process was instrumented, or its detector says why it could not check it.
  bool is_judged() const;
  /// 1 if there are races; else 2 if no profile can be judged; else that of the program if it failed; else 3 if a part
  /// of a run was not checked; else 0.
  int exit_code() const;
};

/// The message of `tine race` about a program whose accesses were not seen.
inline constexpr const char* not_instrumented =
    "0 accesses seen: compile with -fsanitize=thread -DTINE_RACE_DETECTION, and link libtine_race, without "
    "-fsanitize=thread (CMake: tine_enable_race_detection(target))";

}  // namespace tine::cli
