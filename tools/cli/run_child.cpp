// See run_child.hpp.
#include "cli/run_child.hpp"

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace tine::cli {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error{error, std::generic_category(), what};
}

volatile sig_atomic_t child = 0;  // the process to which pass_on forwards signals; 0 before it is started

void pass_on(int number) {
  if (child != 0) kill(child, number);
}

// While an object lives, the timer of this process ends the program: first by SIGTERM, so that it writes its profile,
// and 10 seconds later by SIGKILL.
volatile sig_atomic_t has_expired = 0;

void on_alarm(int) {
  if (child != 0) kill(child, has_expired != 0 ? SIGKILL : SIGTERM);
  has_expired = 1;
}

class time_limit_scope {
 public:
  explicit time_limit_scope(std::uint64_t nanoseconds) {
    has_expired = 0;
    if (nanoseconds == 0) return;
    former_ = signal(SIGALRM, &on_alarm);
    const auto microseconds = static_cast<long>(std::max<std::uint64_t>(nanoseconds / 1000, 1));
    const itimerval timer{{10, 0}, {microseconds / 1'000'000, microseconds % 1'000'000}};
    setitimer(ITIMER_REAL, &timer, nullptr);
    is_set_ = true;
  }
  ~time_limit_scope() {
    if (!is_set_) return;
    const itimerval none{};
    setitimer(ITIMER_REAL, &none, nullptr);
    signal(SIGALRM, former_);
  }
  time_limit_scope(const time_limit_scope&) = delete;
  time_limit_scope& operator=(const time_limit_scope&) = delete;
  static bool is_over() { return has_expired != 0; }

 private:
  bool is_set_ = false;
  sighandler_t former_ = SIG_DFL;
};

// While an object lives, this process ignores ^C and ^\, so they end only the program, and forwards SIGTERM and SIGHUP
// to the program.
class ignore_signals_scope {
 public:
  ignore_signals_scope()
      : interrupt_{signal(SIGINT, SIG_IGN)},
        quit_{signal(SIGQUIT, SIG_IGN)},
        terminate_{signal(SIGTERM, &pass_on)},
        hang_up_{signal(SIGHUP, &pass_on)} {
    if (hang_up_ == SIG_IGN) signal(SIGHUP, SIG_IGN);  // nohup
  }
  ~ignore_signals_scope() {
    signal(SIGINT, interrupt_), signal(SIGQUIT, quit_), signal(SIGTERM, terminate_), signal(SIGHUP, hang_up_);
    child = 0;
  }
  ignore_signals_scope(const ignore_signals_scope&) = delete;
  ignore_signals_scope& operator=(const ignore_signals_scope&) = delete;

 private:
  sighandler_t interrupt_, quit_, terminate_, hang_up_;
};

// Runs in the new process. Writes the errno of a failed exec to the pipe `tell`, which a successful exec closes.
[[noreturn]] void become(const std::vector<std::string>& command, const std::function<void(pid_t)>& prepare, int tell) {
  for (const int number : {SIGINT, SIGQUIT, SIGPIPE, SIGTERM}) signal(number, SIG_DFL);
  prepare(getpid());
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t told = write(tell, &error, sizeof error);
  _exit(127);
}

child_end described(pid_t pid, int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return {pid, 128 + number, "was killed by signal " + std::to_string(number) + " (" + strsignal(number) + ")"};
  }
  return {pid, WEXITSTATUS(status), "ended with exit code " + std::to_string(WEXITSTATUS(status))};
}

}  // namespace

child_end run_child(const std::vector<std::string>& command, const std::function<void(pid_t)>& prepare,
                    std::uint64_t time_limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail(errno, "cannot make a pipe");
  const ignore_signals_scope while_it_runs;
  const pid_t pid = fork();
  if (pid == -1) fail(errno, "cannot start a process");
  if (pid == 0) become(command, prepare, ends[1]);
  child = pid;
  const time_limit_scope limited{time_limit};
  close(ends[1]);
  int error = 0;
  ssize_t told = 0;
  while ((told = read(ends[0], &error, sizeof error)) == -1 && errno == EINTR) {
  }
  const bool failed = told == sizeof error;
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) == -1 && errno == EINTR) {
  }
  if (failed) fail(error, "cannot run " + command.front());
  child_end end = described(pid, status);
  end.was_stopped = time_limit_scope::is_over();
  return end;
}

}  // namespace tine::cli
