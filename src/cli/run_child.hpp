// Runs a program and waits for it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace tine::cli {

/// How a program ended. `exit_code` is what a shell would say of it: 128 and the signal if one killed it.
struct child_end {
  pid_t pid = 0;
  int exit_code = 0;
  std::string said;  ///< for people, as "ended with exit code 1" or "was killed by signal 9 (Killed)"
};

/// Runs `command`, found as a shell finds it. `prepare` is called in the new process with its number, to set its environment.
/// An interrupt from the terminal is the program's to handle: this process goes on, and reports how it ended. SIGTERM and SIGHUP
/// are passed on to the program. Throws std::system_error if the program cannot be started.
child_end run_child(const std::vector<std::string>& command, const std::function<void(pid_t)>& prepare);

}  // namespace tine::cli
