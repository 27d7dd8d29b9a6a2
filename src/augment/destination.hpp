// The choice of the file for the profile of this process. Processes that a profiled process starts inherit its
// environment and must not write into its file.
#pragma once

#include <string>

namespace tine::detail {

/// Called while the library is loaded. A process without a profiled ancestor writes its number into the environment, as
/// TINE_PROFILE_OWNER, so that the processes below it know that they are not the first.
void mark_first_process() noexcept;

/// Returns the file for `asked`: with `%p` replaced by the process id; without `%p`, `asked` itself for the first
/// process and `asked.PID` for other processes; in an MPI job, with the rank before the extension,
/// `asked.rankN.profile`. Under `tine profile`, several processes may have no profiled ancestor: TINE_PROFILE_LIST
/// names a file that the first of them creates.
std::string destination_of(const std::string& asked);

/// Returns the file for a process that was forked from a profiled process and has not become another program.
std::string destination_of_fork(const std::string& asked);

/// Adds the path of a profile that was written to the list of `tine profile`, if there is a list.
void announce(const std::string& path) noexcept;

}  // namespace tine::detail
