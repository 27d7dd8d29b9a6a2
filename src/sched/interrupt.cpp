// The signal by which a thief interrupts a worker that doesn't fork; heartbeats use it, too. The handler runs on the
// victim's thread. src/sched/README.md has its rules, and says how it shares its signal with the program's own
// handlers.
#include "sched/interrupt.hpp"

#include "base/fp_environment.hpp"
#include "base/interrupted.hpp"
#include "sched/left_context.hpp"
#include "sched/pool_state.hpp"
#include "sched/process_lock.hpp"
#include "sched/signal_mask.hpp"

#include <tine/detail/base/assert.hpp>

#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>

namespace tine::sched {
namespace {

using handler = void (*)(int, siginfo_t*, void*);

constexpr int signals = 65;
constexpr std::size_t levels = 8;

/// The handlers of one signal. The first pool installs level 0. Whenever the program installs a handler later, we put a
/// new level of ours in front of it. Each level is a function of its own. So if a handler of the program calls the one
/// that it has replaced, it reaches the level below and never itself. And if the program restores what it had replaced,
/// it removes our level, too.
struct shared_signal {
  std::array<struct sigaction, levels> previous;  // by level; written before the level is installed
  std::size_t used = 0;                           // levels that have ever been installed; under the lock of the process
};
std::array<shared_signal, signals> shared;

void pass_on(const struct sigaction& p, int number, siginfo_t* info, void* where) {
  if ((p.sa_flags & SA_SIGINFO) != 0) {
    p.sa_sigaction(number, info, where);
  } else if (p.sa_handler != SIG_DFL && p.sa_handler != SIG_IGN) {
    p.sa_handler(number);
  }
}

/// The signal has come in the middle of user code. If that code waited in the kernel, we promote all its pending
/// records, so no thief has a reason to interrupt it again. If the kernel would end the wait, we continue it here, with
/// the signal blocked, as it is in every handler.
void interrupt_user_code(hot_words& h, bool beat, void* where) {
  const bool waits = base::interrupted::ends_a_call(where);
  hot::enter_scheduler();
  base::enter_interrupted_fp(where);  // a record that we promote gets them
  worker& w = *h.self;
  w.signals.set_handling(true);
  w.serve_signal(h, beat);
  const bool nothing_left = waits && w.promote_all_pending(h);
  hot::leave_scheduler();
  if (waits) {
    const bool continued = nothing_left && base::interrupted::continue_call(where);
    (continued ? w.counts.sleeps_continued : w.counts.calls_interrupted).add();
  }
  w.signals.set_handling(false);
}

/// The handler of one level. It recognises our signals by their mark, and passes all others on to the handler in front
/// of which this level stands. The rest depends on the thread: it has left its pool, is in the scheduler, or runs user
/// code.
template <std::size_t Level>
void on_interrupt(int number, siginfo_t* info, void* where) {
  const int error = errno;
  const bool beat = info->si_code == SI_TIMER;
  const bool ours = (beat || info->si_code == SI_QUEUE) && info->si_value.sival_ptr == signal_mark();
  hot_words& h = hot::words();
  if (!ours) {
    if (h.self != nullptr) h.self->signals.note();
    pass_on(shared[static_cast<std::size_t>(number)].previous[Level], number, info, where);
  } else if (h.self == nullptr) {
    base::interrupted::continue_call(where);  // the signal is late: the thread has left its pool
  } else if (h.in_scheduler != 0) {
    h.self->miss_signal(h, beat);
  } else {
    interrupt_user_code(h, beat, where);
  }
  errno = error;
}

constexpr std::array<handler, levels> handlers = []<std::size_t... Level>(std::index_sequence<Level...>) {
  return std::array<handler, levels>{&on_interrupt<Level>...};
}(std::make_index_sequence<levels>{});

bool is_ours(const struct sigaction& a) noexcept {
  return (a.sa_flags & SA_SIGINFO) != 0 &&
         std::find(handlers.begin(), handlers.end(), a.sa_sigaction) != handlers.end();
}

bool is_same(const struct sigaction& a, const struct sigaction& b) noexcept {
  if (((a.sa_flags ^ b.sa_flags) & SA_SIGINFO) != 0) return false;
  return (a.sa_flags & SA_SIGINFO) != 0 ? a.sa_sigaction == b.sa_sigaction : a.sa_handler == b.sa_handler;
}

bool is_handled_by_us(int number, struct sigaction& now) noexcept {
  return sigaction(number, nullptr, &now) == 0 && is_ours(now);
}

bool is_replaced(int number) noexcept {
  struct sigaction now{};
  return !is_handled_by_us(number, now);
}

void say_prevented(int number, bool replaced) noexcept {
  static constinit base::atomic<bool> said{false};
  if (said.exchange(true, base::relaxed)) return;  // relaxed: it guards nothing but the message
  const char* const name = sigabbrev_np(number);
  char text[400];
  std::snprintf(
      text, sizeof text,
      "a worker cannot be interrupted, so forks that are pending there wait for its next fork or join: %s signal %d (SIG%s), which tine uses. %s, or give tine another signal by tine::options::signal.",
      replaced ? "the program keeps installing handlers for" : "code that runs in a branch has blocked", number,
      name != nullptr ? name : "RT", replaced ? "Install the handler once" : "Do not block it there");
  base::warn(text);
}

/// The caller holds the lock.
bool install(std::size_t level, int number) noexcept {
  struct sigaction action{};
  action.sa_sigaction = handlers[level];
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, nullptr) == 0;
}

/// The caller holds the lock. Returns the level to put in front of that handler: the level that was in front of it
/// before, or a new one; `levels` if none is left.
std::size_t level_for(shared_signal& s, const struct sigaction& theirs) noexcept {
  for (std::size_t level = 1; level < s.used; ++level) {
    if (is_same(s.previous[level], theirs)) return level;
  }
  if (s.used == levels) return levels;
  s.previous[s.used] = theirs;
  return s.used++;
}

}  // namespace

void install_interrupt_handler(int number) {
  const std::lock_guard guard{process_lock};
  shared_signal& s = shared[static_cast<std::size_t>(number)];
  if (s.used != 0) return;
  if (sigaction(number, nullptr, &s.previous[0]) != 0 || !install(0, number)) {
    throw std::system_error{errno, std::generic_category(), "tine: cannot install a signal handler"};
  }
  s.used = 1;
}

bool take_handler_back(int number) noexcept {
  struct sigaction now{};
  if (is_handled_by_us(number, now)) return false;
  const std::lock_guard guard{process_lock};
  if (is_handled_by_us(number, now)) return false;  // another thief has installed it
  const std::size_t level = level_for(shared[static_cast<std::size_t>(number)], now);
  return level < levels && install(level, number);
}

signal_fate inquire(const worker& victim, std::uint64_t handled, std::uint64_t& ran_ns) noexcept {
  const bool replaced = is_replaced(victim.pool.settings.signal);
  // our handler blocks the signal, too, while it promotes or continues a call. A handler that begins after this test
  // has counted its signal before the test of `signals.handled`.
  if (victim.signals.is_handling()) return signal_fate::pending;
  // pairs with the increments in hold_stacks and release_stacks, so that we read the masks between two equal counts
  const unsigned collections = collections_begun_and_ended.load(base::acquire);
  const signal_masks masks = masks_of(victim);
  if (!replaced && !masks.blocked) return masks.pending ? signal_fate::pending : signal_fate::lost;
  if (victim.signals.handled() != handled) return signal_fate::pending;
  // A thread that waits for a processor at the first instruction of the handler looks as if it had blocked the signal.
  // A thread that has computed for long since then isn't there, and neither is a thread that sleeps. The kernel reports
  // first whether the thread sleeps and then which signals it blocks, and the signal may have come in between. So the
  // first answer about its sleep may be too old; the second one isn't.
  const std::uint64_t ran = processor_time_of(victim);
  if (ran_ns == 0) ran_ns = ran;
  const bool waits = masks.waits && masks_of(victim).waits && victim.signals.handled() == handled;
  if (!waits && ran - ran_ns < 500'000) return signal_fate::pending;
  // pairs with the increments in hold_stacks and release_stacks: if we saw a thread stopped, the count has changed or
  // is odd
  const bool collects = collections % 2 != 0 || collections_begun_and_ended.load(base::acquire) != collections;
  if (collects) return signal_fate::pending;
  say_prevented(victim.pool.settings.signal, replaced);
  return signal_fate::prevented;
}

void* signal_mark() noexcept {
  static char mark;
  return &mark;
}

namespace {

/// Sends a signal with our mark to one thread. The kernel's call, because pthread_sigqueue(3) needs a pthread_t, and a
/// worker only keeps the thread's number.
void send_to(pid_t thread, int number) noexcept {
  siginfo_t note{};
  note.si_signo = number;
  note.si_code = SI_QUEUE;
  note.si_pid = getpid();
  note.si_uid = getuid();
  note.si_value.sival_ptr = signal_mark();
  syscall(SYS_rt_tgsigqueueinfo, note.si_pid, thread, number, &note);
}

}  // namespace

void interrupt_this_thread(int number) noexcept { send_to(gettid(), number); }

void send_interrupt(const worker& victim) noexcept {
  // relaxed: published with busy, which the holder of the hazard has seen
  send_to(victim.thread.load(base::relaxed), victim.pool.settings.signal);
}

}  // namespace tine::sched
