// The results of `tine doctor`: plain data, from which its text, its JSON and its exit code follow.
#pragma once

#include "cli/palette.hpp"
#include "report/locks.hpp"
#include "trace/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tine::cli {

/// A process whose locks were checked.
struct doctor_process {
  std::string path;     ///< of the profile
  std::string problem;  ///< why the profile cannot be read; empty if it can
  trace::profile profile;
  std::vector<report::found_lock_problem> findings;

  /// Returns true if the locks of the process were followed.
  bool is_judged() const { return !profile.lock.empty(); }
};

struct doctor_result {
  std::vector<doctor_process> processes;  ///< the main one first
  std::string ending;                     ///< how the program failed; empty if it did not
  int program_code = 0;

  std::uint64_t findings() const;
  bool is_judged() const;
  /// 1 if there are findings; else 2 if a process was not checked; else the program's code.
  int exit_code() const;
};

/// Reads a profile, finds the source of its addresses and makes all texts printable.
doctor_process read_doctor_process(const std::string& path);

/// Returns the report as text for a terminal, or as JSON. With `is_verbose`, paths and stacks are whole.
std::string doctor_text(const doctor_result& result, bool is_verbose, const palette& paint);
std::string doctor_json(const doctor_result& result);

}  // namespace tine::cli
