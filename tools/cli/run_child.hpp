// Runs a program and waits for it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tine::cli {

/// How a program ended. `exit_code` is the code that a shell would report: 128 plus the signal if a signal killed it.
struct child_end {
  pid_t pid = 0;
  int exit_code = 0;
  std::string said;          ///< for messages, as "ended with exit code 1" or "was killed by signal 9 (Killed)"
  bool was_stopped = false;  ///< the program ran for longer than its time limit
};

/// Runs `command`, which is searched for as a shell does. Calls `prepare` in the new process with its process id, to
/// set its environment. The program handles interrupts from the terminal: this process ignores them and reports how the
/// program ended. SIGTERM and SIGHUP are forwarded to the program. After `time_limit` nanoseconds the program gets
/// SIGTERM, and if it does not end in 10 seconds, SIGKILL; 0: no limit. Throws std::system_error if the program cannot
/// be started.
child_end run_child(const std::vector<std::string>& command, const std::function<void(pid_t)>& prepare,
                    std::uint64_t time_limit = 0);

}  // namespace tine::cli
