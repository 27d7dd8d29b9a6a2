// See keeper.hpp. The handlers use atomics and system calls only, all of them async-signal-safe.
//
// The states of a signal that ends the process: `none`, then `asked` (the handler has woken the thread), then `written`
// (the thread sends the signal once more, and the handler lets it have its former effect). If this takes too long, a
// timer sends a signal that ends the wait.
#include "augment/keeper.hpp"

#include "augment/attached_check.hpp"
#include "sched/fault_handlers.hpp"
#include "sched/scheduler_time.hpp"

#include <tine/detail/base/atomic.hpp>

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace tine::detail {
namespace {

enum class state : int { none, asked, written };

constexpr std::array ending_signals{SIGTERM, SIGINT, SIGHUP, SIGABRT};
// More signals that end the process, unless the program handles them. The first list are signals that come from
// outside, the second list those that a thread causes itself, which cannot continue. The handler of the scheduler has
// SIGSEGV and SIGBUS.
constexpr std::array more_ending_signals{SIGQUIT, SIGALRM, SIGXCPU, SIGUSR1};
constexpr std::array fault_signals{SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPIPE, SIGXFSZ};

struct keeper {
  kept_profile profile{};
  std::uint64_t every = 0;
  int snapshot_signal = 0;
  int wake = -1, done = -1;  ///< eventfds: the handlers wake the thread; the thread has written the profile
  timer_t patience{};        ///< sends the signal that ends the wait for the thread
  bool has_patience = false;
  base::atomic<pid_t> process{0};  ///< 0: there is no thread
  base::atomic<int> ending{static_cast<int>(state::none)};
  base::atomic<int> signal{0};      ///< the signal that ends the process
  base::atomic<pid_t> receiver{0};  ///< kernel's number of the interrupted thread; 0: it waits in its handler
  base::atomic<bool> snapshot{false};
  base::atomic<pid_t> thread{0};     ///< kernel's number of the thread
  base::atomic<bool> is_due{false};  ///< write_by_keeper waits for the profile with `due_ending` and `due_signal`
  base::atomic<bool> catches_faults{false};
  base::atomic<bool> is_taken{false};  ///< a thread is in write_by_keeper
  trace::ending due_ending{};
  int due_signal = 0;
  int due_done = -1;  ///< an eventfd: the thread has written the profile that was due
  std::array<struct sigaction, 65> former{};
};
keeper the_keeper;

/// Returns true if this process has a keeper. Handlers run on any thread of this process, and also in processes that
/// were forked from it, which share the eventfds.
bool is_alive() noexcept {
  // acquire pairs with the release in start_keeper, so that a handler sees the files
  return the_keeper.process.load(base::acquire) == getpid();
}

void add_one(int file) noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(file, &one, sizeof one);
}

void wait_for(int file, int milliseconds) noexcept {
  pollfd p{file, POLLIN, 0};
  timespec until{}, now{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  const auto at = [](const timespec& t) { return t.tv_sec * 1000 + t.tv_nsec / 1'000'000; };
  for (long left = milliseconds; left > 0; left = at(until) + milliseconds - at(now)) {
    if (poll(&p, 1, static_cast<int>(left)) >= 0 || errno != EINTR) return;
    clock_gettime(CLOCK_MONOTONIC, &now);
  }
}

bool is_default(const struct sigaction& a) noexcept {
  return (a.sa_flags & SA_SIGINFO) == 0 && a.sa_handler == SIG_DFL;
}
bool is_ignored(const struct sigaction& a) noexcept {
  return (a.sa_flags & SA_SIGINFO) == 0 && a.sa_handler == SIG_IGN;
}

/// Lets the signal have the effect that it had before the keeper was started.
void have_former_effect(int number, siginfo_t* info, void* where) noexcept {
  const struct sigaction& f = the_keeper.former[static_cast<std::size_t>(number)];
  if (is_ignored(f)) return;
  if (is_default(f)) {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, nullptr);
    raise(number);  // takes effect when this handler has returned
  } else if ((f.sa_flags & SA_SIGINFO) != 0) {
    f.sa_sigaction(number, info, where);
  } else {
    f.sa_handler(number);
  }
}

void start_patience(int seconds) noexcept {
  if (!the_keeper.has_patience) return;
  itimerspec after{};
  after.it_value.tv_sec = seconds;
  timer_settime(the_keeper.patience, 0, &after, nullptr);
}

/// Returns true if the timer sent the signal. The timer sends SIGTERM, whatever the signal that ends the process is.
bool is_out_of_patience(const siginfo_t* info) noexcept {
  return info->si_code == SI_TIMER && info->si_value.sival_ptr == &the_keeper;
}

/// Returns true if this is the first signal that ends the process; then the thread has been woken for it.
bool ask_to_write(int number, bool waits) noexcept {
  keeper& k = the_keeper;
  int expected = static_cast<int>(state::none);
  if (!k.ending.compare_exchange_strong(expected, static_cast<int>(state::asked), base::relaxed, base::relaxed))
    return false;
  k.receiver.store(waits ? 0 : static_cast<pid_t>(syscall(SYS_gettid)), base::relaxed);
  // release pairs with the acquire in serve, so that the thread sees the receiver
  k.signal.store(number, base::release);
  start_patience(keeper_patience);
  add_one(k.wake);
  return true;
}

/// Ends the wait. The next signal that ends the process begins from the start again, in case a handler of the program
/// lets it continue.
void finish(int number, siginfo_t* info, void* where) noexcept {
  start_patience(0);
  std::uint64_t written = 0;
  [[maybe_unused]] const ssize_t taken = read(the_keeper.done, &written, sizeof written);
  the_keeper.signal.store(0, base::relaxed);
  the_keeper.ending.store(static_cast<int>(state::none), base::relaxed);
  have_former_effect(number, info, where);
}

void on_ending(int number, siginfo_t* info, void* where) {
  const int error = errno;
  keeper& k = the_keeper;
  const int waits_for = k.signal.load(base::relaxed);
  const bool is_own = info->si_pid == getpid() && (info->si_code == SI_TKILL || info->si_code == SI_USER);
  if (!is_alive()) {
    have_former_effect(number, info, where);
  } else if (is_out_of_patience(info)) {
    if (waits_for != 0) finish(waits_for, info, where);
  } else if (waits_for == number && k.ending.load(base::relaxed) == static_cast<int>(state::written)) {
    finish(number, info, where);
  } else if (ask_to_write(number, is_own)) {
    if (is_own) {
      wait_for(k.done, keeper_patience * 1000);
      finish(number, info, where);
    }
  } else if (number == SIGABRT && is_own) {
    have_former_effect(number, info, where);  // while the profile is written for another signal
  }
  errno = error;
}

void before_fatal_fault(int number) noexcept {
  the_keeper.catches_faults.store(false, base::relaxed);  // relaxed: for this thread; the others end with the process
  write_by_keeper(trace::ending::signalled, number);
}

/// Handles a signal that a thread causes itself. It ends the process when the handler has returned.
void on_fault(int number, siginfo_t* info, void*) {
  const int error = errno;
  before_fatal_fault(number);
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, nullptr);
  // An instruction that faulted is repeated, and faults again. A signal that was sent, or that a system call caused, is
  // sent again.
  const bool is_instruction = number == SIGFPE || number == SIGILL || number == SIGSEGV || number == SIGBUS;
  const bool is_repeated = is_instruction && info->si_code > 0 && info->si_code != SI_KERNEL;
  if (!is_repeated) raise(number);
  errno = error;
}

void on_snapshot(int, siginfo_t*, void*) {
  const int error = errno;
  if (is_alive()) {
    the_keeper.snapshot.store(true, base::relaxed);  // relaxed: the eventfd orders it
    add_one(the_keeper.wake);
  }
  errno = error;
}

void send_again(int number, pid_t receiver) noexcept {
  const pid_t process = getpid();
  if (syscall(SYS_tgkill, process, receiver, number) != 0) kill(process, number);
}

void serve() noexcept {
  keeper& k = the_keeper;
  // acquire pairs with the release in write_by_keeper, so that the thread sees what is due
  if (k.is_due.load(base::acquire)) {
    k.profile.write(k.due_ending, k.due_signal);
    k.is_due.store(false, base::relaxed);  // relaxed: the eventfd orders it
    add_one(k.due_done);
  }
  // acquire pairs with the release in ask_to_write
  const int number = k.signal.load(base::acquire);
  if (number != 0 && k.ending.load(base::relaxed) == static_cast<int>(state::asked)) {
    k.profile.write(trace::ending::signalled, number);
    const pid_t receiver = k.receiver.load(base::relaxed);
    k.ending.store(static_cast<int>(state::written), base::relaxed);
    receiver == 0 ? add_one(k.done) : send_again(number, receiver);
  } else if (k.snapshot.exchange(false, base::relaxed)) {
    k.profile.write(trace::ending::running, 0);
  }
}

void* run_keeper(void*) noexcept {
  keeper& k = the_keeper;
  pthread_setname_np(pthread_self(), "tine-profile");
  k.thread.store(static_cast<pid_t>(syscall(SYS_gettid)), base::relaxed);  // relaxed: this thread itself compares it
  const timespec between{static_cast<time_t>(k.every / 1'000'000'000), static_cast<long>(k.every % 1'000'000'000)};
  pollfd woken{k.wake, POLLIN, 0};
  for (;;) {
    const int n = ppoll(&woken, 1, k.every != 0 ? &between : nullptr, nullptr);
    if (n < 0 && errno != EINTR) return nullptr;
    if (n == 0) k.snapshot.store(true, base::relaxed);
    std::uint64_t count = 0;
    if (n > 0) [[maybe_unused]]
      const ssize_t taken = read(k.wake, &count, sizeof count);
    serve();
  }
}

void install(int number, void (*handler)(int, siginfo_t*, void*), bool over_handlers) noexcept {
  struct sigaction& former = the_keeper.former[static_cast<std::size_t>(number)];
  if (sigaction(number, nullptr, &former) != 0 || is_ignored(former)) return;
  if (!over_handlers && !is_default(former)) return;
  struct sigaction action{};
  action.sa_sigaction = handler;
  // The signal interrupts system calls of the program in the same way as with the program's own handler.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (is_default(former) ? SA_RESTART : former.sa_flags & SA_RESTART);
  action.sa_mask = former.sa_mask;
  sigaction(number, &action, nullptr);
}

/// Starts the thread with all signals blocked.
bool start_thread() noexcept {
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const int error = pthread_create(&thread, &detached, &run_keeper, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&detached);
  return error == 0;
}

}  // namespace

bool write_by_keeper(trace::ending how, int signal) noexcept {
  keeper& k = the_keeper;
  // relaxed: only the thread itself finds its own number
  if (!is_alive() || k.thread.load(base::relaxed) == static_cast<pid_t>(syscall(SYS_gettid))) return false;
  const int error = errno;
  const sched::scheduler_time here;
  timespec begin{}, now{};
  clock_gettime(CLOCK_MONOTONIC, &begin);
  // Another thread may end the process at the same time. acquire pairs with the release at the end, so that its wait is
  // over.
  while (k.is_taken.exchange(true, base::acquire)) {
    poll(nullptr, 0, 1);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - begin.tv_sec > keeper_patience) return true;
  }
  k.due_ending = how;
  k.due_signal = signal;
  k.is_due.store(true, base::release);  // pairs with the acquire in serve
  add_one(k.wake);
  wait_for(k.due_done, keeper_patience * 1000);
  std::uint64_t written = 0;
  [[maybe_unused]] const ssize_t taken = read(k.due_done, &written, sizeof written);
  k.is_taken.store(false, base::release);  // pairs with the acquire above
  errno = error;
  return true;
}

void start_keeper(kept_profile what, int snapshot_signal, std::uint64_t every, bool at_faults) noexcept {
  keeper& k = the_keeper;
  const bool was_installed = k.wake != -1;  // in the process that this one was forked from
  k.profile = what;
  k.every = every;
  k.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  k.done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  k.due_done = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (k.wake == -1 || k.done == -1 || k.due_done == -1 || !start_thread()) {
    std::fprintf(
        stderr,
        "tine: TINE_PROFILE: no thread can be started for writing the profile on signals (%s). A signal that ends "
        "the process leaves no profile.\n",
        std::strerror(errno));
    return;
  }
  sigevent late{};
  late.sigev_notify = SIGEV_SIGNAL;
  late.sigev_signo = SIGTERM;
  late.sigev_value.sival_ptr = &k;
  k.has_patience = timer_create(CLOCK_MONOTONIC, &late, &k.patience) == 0;
  // release pairs with the acquire in is_alive
  k.process.store(getpid(), base::release);
  if (was_installed) return;
  for (const int number : ending_signals) install(number, &on_ending, true);
  if (snapshot_signal != 0) install(snapshot_signal, &on_snapshot, false);
  if (!at_faults) return;
  for (const int number : more_ending_signals) install(number, &on_ending, false);
  for (const int number : fault_signals) install(number, &on_fault, false);
  // release pairs with the acquire in the handler of faults, so that it sees the keeper
  sched::before_fatal_fault.store(&before_fatal_fault, base::release);
  k.catches_faults.store(true, base::relaxed);  // relaxed: guards nothing
}

void catch_default_action(int number) noexcept {
  keeper& k = the_keeper;
  const bool is_fault =
      number == SIGSEGV || number == SIGBUS || std::ranges::find(fault_signals, number) != fault_signals.end();
  if (!is_fault || !is_alive() || !k.catches_faults.load(base::relaxed)) return;  // relaxed: guards nothing
  struct sigaction action{};
  action.sa_sigaction = &on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(number, &action, nullptr);
}

void forget_keeper() noexcept {
  keeper& k = the_keeper;
  k.process.store(0, base::relaxed);
  k.has_patience = false;  // timers are not inherited
  k.signal.store(0, base::relaxed);
  k.ending.store(static_cast<int>(state::none), base::relaxed);
  if (k.wake != -1) close(k.wake);
  if (k.done != -1) close(k.done);
  if (k.due_done != -1) close(k.due_done);
  k.is_due.store(false, base::relaxed);  // relaxed: a forked process has one thread
  k.is_taken.store(false, base::relaxed);
}

}  // namespace tine::detail
