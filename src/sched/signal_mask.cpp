// The signal masks of threads: opened on the thread itself, and inspected by a thief. The reasons are in
// src/sched/README.md, "Signal masks and handlers".
#include "sched/signal_mask.hpp"

#include "sched/pool_state.hpp"

#include <tine/detail/sched/undisturbed.hpp>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace tine::sched {

open_to_signals::open_to_signals(const pool_state& pool) noexcept {
  sigset_t wanted, before;
  sigemptyset(&wanted);
  for (const int fault : {SIGSEGV, SIGBUS}) sigaddset(&wanted, fault);
  if (pool.signals) sigaddset(&wanted, pool.settings.signal);
  pthread_sigmask(SIG_UNBLOCK, &wanted, &before);
  sigandset(&opened_, &wanted, &before);
  any_ = sigisemptyset(&opened_) == 0;
}

open_to_signals::~open_to_signals() {
  if (!any_) return;
  // A thread that held a hazard on the worker may have sent a signal that has not arrived yet. The kernel delivers it
  // at the end of any system call. If we blocked it first, it would stay pending in a thread that may wait for signals
  // of its own.
  syscall(SYS_gettid);
  pthread_sigmask(SIG_BLOCK, &opened_, nullptr);
}

namespace {

/// Returns true if the signal is in the set that /proc lists under this name.
bool is_in_set(const char* status, const char* name, int signal) noexcept {
  const char* const set = std::strstr(status, name);
  return set != nullptr && (std::strtoull(set + std::strlen(name), nullptr, 16) >> (signal - 1) & 1) != 0;
}

}  // namespace

signal_masks masks_of(const worker& victim) noexcept {
  char text[4096];
  // relaxed: published with busy, which the holder of the hazard has seen
  std::snprintf(text, sizeof text, "/proc/self/task/%d/status", static_cast<int>(victim.thread.load(base::relaxed)));
  const int file = open(text, O_RDONLY | O_CLOEXEC);
  ssize_t length = 0;
  if (file >= 0) {
    length = read(file, text, sizeof text - 1);
    close(file);
  }
  if (length <= 0) return {};
  text[length] = '\0';
  const int signal = victim.pool.settings.signal;
  return {is_in_set(text, "SigBlk:", signal), is_in_set(text, "SigPnd:", signal),
          std::strstr(text, "State:\tS") != nullptr};
}

std::uint64_t processor_time_of(const worker& victim) noexcept {
  // clock_getcpuclockid(3) is for processes, and pthread_getcpuclockid(3) needs a pthread_t. So we compute the number
  // of a thread's clock as the kernel does. relaxed: published with busy, which the holder of the hazard has seen
  const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(victim.thread.load(base::relaxed)) << 3 | 6U);
  timespec spent{};
  if (clock_gettime(clock, &spent) != 0) return 0;
  return static_cast<std::uint64_t>(spent.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(spent.tv_nsec);
}

undisturbed::undisturbed() noexcept : blocked_{0} {
  hot::enter_scheduler();
  hot_words& h = hot::words();
  worker& w = *h.self;
  w.promote_all(h);
  if (w.pool.signals) {
    sigset_t ours, before;
    sigemptyset(&ours);
    sigaddset(&ours, w.pool.settings.signal);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    if (sigismember(&before, w.pool.settings.signal) != 1) blocked_ = w.pool.settings.signal;
  }
  hot::leave_scheduler();
}

undisturbed::~undisturbed() {
  if (blocked_ == 0) return;
  const int error = errno;  // user code may read errno next
  sigset_t ours;
  sigemptyset(&ours);
  sigaddset(&ours, blocked_);
  pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
  errno = error;
}

}  // namespace tine::sched
