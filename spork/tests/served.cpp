// Runs `tine ir` and `tine ml` many times in one process: the loader takes 30 ms to link LLVM, and a fork only one. For
// each request on the standard input, a child runs the command's `main`, so that a crash ends only the child. With
// words, it is the command itself. spork/tests/served.py has the other end. This process has one thread, so that a
// child may do all that a new process may.
#include "command/tine_spork.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const char* what) {
  perror(what);
  _exit(125);  // a code that the command never has
}

/// The lines are: the time limit in seconds, the folder, the files for the three streams, the number of words, the
/// words, the environment. Each ends with a zero.
struct request {
  time_t seconds;
  std::string folder, files[3];  ///< without a file of its own, standard error goes where standard output goes
  std::vector<std::string> words, environment;
};

// Returns false at the end of the requests.
bool read_bytes(int from, void* to, std::size_t size) {
  for (std::size_t at = 0; at < size;) {
    const ssize_t n = read(from, static_cast<char*>(to) + at, size - at);
    if (n == 0) return false;
    if (n < 0) fail("the request cannot be read");
    at += static_cast<std::size_t>(n);
  }
  return true;
}

bool read_request(int from, request& r) {
  std::uint64_t size = 0;
  if (!read_bytes(from, &size, sizeof size)) return false;
  std::string text(size, '\0');
  if (!read_bytes(from, text.data(), size)) return false;
  std::size_t at = 0;
  const auto next = [&] {
    const std::size_t begin = at, end = text.find('\0', at);
    at = end + 1;
    return text.substr(begin, end - begin);
  };
  r.seconds = std::stol(next());
  r.folder = next();
  for (std::string& file : r.files) file = next();
  r.words.resize(std::stoul(next()));
  for (std::string& word : r.words) word = next();
  r.environment.clear();
  while (at < size) r.environment.push_back(next());
  return true;
}

void redirect(const std::string& file, int flags, int to) {
  const int fd = open(file.c_str(), flags | O_CLOEXEC, 0600);
  if (fd == -1 || dup2(fd, to) == -1) fail(file.c_str());
  close(fd);
}

// Runs in the child.
[[noreturn]] void serve(request& r, const sigset_t& signals) {
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  if (chdir(r.folder.c_str()) != 0) fail(r.folder.c_str());
  redirect(r.files[0], O_RDONLY, STDIN_FILENO);
  redirect(r.files[1], O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  if (r.files[2].empty()) {
    dup2(STDOUT_FILENO, STDERR_FILENO);
  } else {
    redirect(r.files[2], O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  }
  clearenv();
  for (std::string& variable : r.environment) putenv(variable.data());
  std::vector<char*> words;
  for (std::string& word : r.words) words.push_back(word.data());
  words.push_back(nullptr);
  exit(tine::cli::run_tine_spork(static_cast<int>(r.words.size()), words.data()));
}

// Returns how the child ended, in the words of subprocess: an exit code, or a signal with a minus, or "timeout".
std::string wait_for(pid_t child, time_t seconds, const sigset_t& ends) {
  const timespec limit{seconds, 0};
  int status = 0;
  bool is_late = false;
  while (waitpid(child, &status, is_late ? 0 : WNOHANG) == 0) {
    if (sigtimedwait(&ends, nullptr, &limit) == -1 && errno == EAGAIN) is_late = kill(child, SIGKILL) == 0;
  }
  if (is_late) return "timeout\n";
  return std::to_string(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status)) + "\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return tine::cli::run_tine_spork(argc, argv);
  const int requests = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  sigset_t ends, before;
  sigemptyset(&ends), sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, &before);
  for (request r; read_request(requests, r);) {
    const pid_t child = fork();
    if (child == -1) fail("fork");
    if (child == 0) serve(r, before);
    const std::string end = wait_for(child, r.seconds, ends);
    if (write(answers, end.data(), end.size()) != static_cast<ssize_t>(end.size()))
      fail("the answer cannot be written");
  }
}
