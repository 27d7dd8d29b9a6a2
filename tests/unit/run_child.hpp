// Runs test bodies in child processes: bodies that end their process, and bodies that test the first pool, the first
// signal handler or an environment variable. For test programs only.
//
//     const child_body overflow{"overflow", [] { recurse(); }};          // at namespace scope
//     const child_end end = run_child("overflow");                       // in a test case
//
// The child runs the same program as its parent, with the body's name in its environment. The body runs before main,
// thus before the test framework has touched any signal. After the body the process exits with 0, unless the body ends
// the process itself.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tine::test {

/// The variable that carries the name of the body to run.
inline constexpr const char* child_variable = "TINE_TEST_CHILD";

/// A function that runs in the processes that run_child starts with its name. Define it at namespace scope.
class child_body {
 public:
  child_body(const char* name, void (*body)()) {
    const char* const wanted = std::getenv(child_variable);
    if (wanted == nullptr || std::strcmp(wanted, name) != 0) return;
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    unsetenv(child_variable);
    alarm(100);  // ends a child that is stuck
    try {
      body();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "the child threw: %s\n", e.what());
      std::_Exit(99);
    }
    std::fflush(nullptr);
    std::_Exit(0);
  }
};

/// In a child process: if the claim does not hold, writes it to standard error and exits with 1.
inline void claim(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "in the child, not so: %s\n", what);
  std::_Exit(1);
}

/// The status with which a child ended, and its output on standard error.
struct child_end {
  int status;
  std::string said;

  bool exited_with(int code) const { return WIFEXITED(status) && WEXITSTATUS(status) == code; }
  bool died_of(int signal) const { return WIFSIGNALED(status) && WTERMSIG(status) == signal; }
  bool says(const char* text) const { return said.find(text) != std::string::npos; }
};

namespace detail {

inline std::vector<std::string> environment_with(std::vector<std::pair<std::string, std::string>> changes) {
  std::vector<std::string> all;
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string entry{*e};
    bool replaced = false;
    for (const auto& change : changes) replaced |= entry.starts_with(change.first + "=");
    if (!replaced) all.push_back(entry);
  }
  for (const auto& [name, value] : changes) all.push_back(name + "=" + value);
  return all;
}

inline std::string read_all(int from) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(from, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  close(from);
  return text;
}

/// Returns the text without the line that qemu adds when a signal ends the program that it emulates.
inline std::string without_emulator(std::string text) {
  const std::size_t begin = text.find("qemu: uncaught target signal");
  if (begin != std::string::npos) text.erase(begin, text.find('\n', begin) + 1 - begin);
  return text;
}

}  // namespace detail

/// Runs the body named `name` in a child process, with these environment variables, and waits for the end of the
/// process.
inline child_end run_child(const char* name, std::vector<std::pair<std::string, std::string>> variables = {}) {
  variables.emplace_back(child_variable, name);
  std::vector<std::string> environment = detail::environment_with(variables);
  std::vector<char*> pointers;
  for (std::string& e : environment) pointers.push_back(e.data());
  pointers.push_back(nullptr);

  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) throw std::runtime_error{"pipe"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
  posix_spawn_file_actions_addclose(&actions, pipe_ends[1]);
  char program[] = "/proc/self/exe";
  char* arguments[] = {program, nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, program, &actions, nullptr, arguments, pointers.data());
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  if (error != 0) throw std::runtime_error{"posix_spawn"};
  child_end end{0, detail::without_emulator(detail::read_all(pipe_ends[0]))};
  waitpid(child, &end.status, 0);
  return end;
}

}  // namespace tine::test
