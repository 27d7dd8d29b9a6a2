// Signals: what asks a worker that does not fork, what a heartbeat is made of, and what tells a stack overflow from other
// faults. See src/sched/README.md for the rules of the handler.
#include "sched/interrupt.hpp"

#include "sched/pool_state.hpp"

#include <tine/base/assert.hpp>

#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <mutex>
#include <system_error>

namespace tine::sched {
namespace {

constexpr int signals = 65;
std::array<struct sigaction, signals> previous;  // who handled a signal before us; written before ours is installed
std::array<bool, signals> installed;             // under the lock in install

void pass_on(int number, siginfo_t* info, void* where) noexcept {
  const struct sigaction& p = previous[number];
  if ((p.sa_flags & SA_SIGINFO) != 0) {
    p.sa_sigaction(number, info, where);
  } else if (p.sa_handler != SIG_DFL && p.sa_handler != SIG_IGN) {
    p.sa_handler(number);
  }
}

void on_interrupt(int number, siginfo_t* info, void* where) {
  const int error = errno;
  const bool beat = info->si_code == SI_TIMER;
  const bool ours = (beat || info->si_code == SI_QUEUE) && info->si_value.sival_ptr == signal_mark();
  hot_words& h = hot::words();
  if (!ours) {
    pass_on(number, info, where);
  } else if (h.self == nullptr) {
    // late: the thread has left its pool
  } else if (h.in_scheduler != 0) {
    h.self->miss_signal(h, beat);
  } else {
    hot::enter_scheduler();
    h.self->answer_signal(h, beat);
    hot::leave_scheduler();
  }
  errno = error;
}

/// A fault in the guard page of the fiber that runs is a stack overflow; everything else is the business of whoever
/// handled faults before.
void on_fault(int number, siginfo_t* info, void* where) {
  const worker* w = hot::words().self;
  const fiber* f = w != nullptr ? w->running() : nullptr;
  if (f != nullptr && f->stack_guard_holds(info->si_addr)) base::fatal(w->pool.stack_overflow.c_str());
  pass_on(number, info, where);
  const bool handled = (previous[number].sa_flags & SA_SIGINFO) != 0 ||
                       (previous[number].sa_handler != SIG_DFL && previous[number].sa_handler != SIG_IGN);
  if (handled) return;
  // Nobody wanted it: the default action. The instruction faults again; a signal that somebody sent does not, so it is
  // sent again. (A fault is not ignored, even if the program says so: it would repeat forever.)
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, nullptr);
  if (info->si_code <= 0) raise(number);
}

void install(int number, void (*handler)(int, siginfo_t*, void*), int flags) {
  static std::mutex lock;
  const std::lock_guard guard{lock};
  if (installed[number]) return;
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | flags;
  sigemptyset(&action.sa_mask);
  if (sigaction(number, nullptr, &previous[number]) != 0 || sigaction(number, &action, nullptr) != 0) {
    throw std::system_error{errno, std::generic_category(), "tine: cannot install a signal handler"};
  }
  installed[number] = true;
}

class signal_stack {
 public:
  signal_stack() noexcept {
    stack_t now{};
    if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0) return;  // the program brought its own
    memory_.reset(new (std::nothrow) std::byte[bytes]);
    if (memory_ == nullptr) return;
    stack_t ours{};
    ours.ss_sp = memory_.get();
    ours.ss_size = bytes;
    sigaltstack(&ours, nullptr);
  }
  ~signal_stack() {
    if (memory_ == nullptr) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  static constexpr std::size_t bytes = 64 << 10;  // the widest vector registers save 11 KiB
  std::unique_ptr<std::byte[]> memory_;
};

}  // namespace

void install_handlers(const options& settings) {
  install(SIGSEGV, &on_fault, 0);
  install(SIGBUS, &on_fault, 0);
  if (settings.interrupt) install(settings.signal, &on_interrupt, SA_RESTART);
}

void ensure_signal_stack() noexcept { static thread_local const signal_stack stack; }

void* signal_mark() noexcept {
  static char mark;
  return &mark;
}

void send_interrupt(const worker& victim) noexcept {
  const int number = victim.pool.settings.signal;
  siginfo_t note{};
  note.si_signo = number;
  note.si_code = SI_QUEUE;
  note.si_pid = getpid();
  note.si_uid = getuid();
  note.si_value.sival_ptr = signal_mark();
  // relaxed: published with busy, which the visit has seen
  syscall(SYS_rt_tgsigqueueinfo, note.si_pid, victim.thread.load(base::relaxed), number, &note);
}

}  // namespace tine::sched
