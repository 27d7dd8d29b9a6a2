// The thread that ends endless waits of the checked strand. The detector runs the branches of a fork one after the
// other, so a strand that waits for a later one waits for ever. A strand that waits actively repeats an atomic read,
// an operation that changes nothing, or looks under a lock. One that sleeps is in the system call of locks, and the
// whole process uses no processor time. A strand that waits actively by plain reads repeats those of a few words, and
// writes nothing.
#include "race/patience.hpp"

#include "race/contexts.hpp"
#include "race/found_races.hpp"

#include "augment/attached_check.hpp"

#include <tine/detail/base/assert.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace tine::detail {
namespace {

constexpr unsigned default_patience = 60;
constexpr int incomplete_code = 3;  // that of `tine race` for a part of the run that was not checked

double seconds_of(clockid_t clock) noexcept {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// Returns true if the thread is in the system call with which locks, conditions and futures wait.
bool waits_for_thread(int thread) noexcept {
  char path[64], text[32] = {};
  std::snprintf(path, sizeof path, "/proc/self/task/%d/syscall", thread);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const long length = syscall(SYS_read, file, text, sizeof text - 1);
  close(file);
  return length > 0 && std::atol(text) == SYS_futex;
}

[[noreturn]] void end_process(const char* how, std::uintptr_t place) noexcept {
  static char reason[512];  // found_races keeps it
  char where[256] = "";
  Dl_info in{};
  if (place != 0 && dladdr(base::from_word<void>(place), &in) != 0 && in.dli_fname != nullptr)
    std::snprintf(where, sizeof where, " at %s+0x%zx", in.dli_fname, place - base::to_word(in.dli_fbase) - 1);
  std::snprintf(
      reason, sizeof reason,
      "a strand %s%s for %u seconds, and the detector runs strands one after the other, so it would wait for ever for a later one (TINE_RACE_PATIENCE sets the seconds)",
      how, where, patience());
  found_races::give_up(reason, place);
  char message[600];
  std::snprintf(message, sizeof message, "the run ends here: %s.", reason);
  base::warn(message);
  write_before_end(trace::ending::normal);
  for (;;) syscall(SYS_exit_group, incomplete_code);
}

void* end_endless_wait(void*) noexcept {
  pthread_setname_np(pthread_self(), "tine-race");
  // A root that waits for another thread's root gives up first, and then the run continues.
  const double limit = patience() * 1.25;
  const timespec pause{patience() >= 8 ? 1 : 0, patience() >= 8 ? 0 : 100'000'000};
  check_progress before{};
  double since = 0, used = 0;
  std::uint64_t repeated = 0;
  while (!is_checking_stopped.load(base::relaxed)) {  // relaxed: looks again soon
    nanosleep(&pause, nullptr);
    check_progress now = progress_of_check();
    const std::uint64_t so_far = std::exchange(now.repeated, 0);
    const std::uintptr_t place = std::exchange(now.place, 0);
    if (now.read_at != 0) end_process("read the same few words", now.read_at);
    if (now != before || !now.is_running) {
      before = now;
      since = seconds_of(CLOCK_MONOTONIC);
      used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
      repeated = so_far;
      continue;
    }
    if (seconds_of(CLOCK_MONOTONIC) - since < limit) continue;
    if (so_far - repeated > 10) end_process("repeated an atomic operation or took locks, and changed nothing,", place);
    follow_reads();
    const bool is_idle = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used < limit / 50;
    if (is_idle && waits_for_thread(now.thread)) end_process("waited for another thread", 0);
  }
  return nullptr;
}

constinit base::atomic<int> process_with_guard{0};

}  // namespace

unsigned patience() noexcept {
  static const unsigned seconds = [] {
    const char* const text = std::getenv("TINE_RACE_PATIENCE");
    const long asked = text != nullptr ? std::atol(text) : 0;
    return asked > 0 && asked <= 1'000'000 ? static_cast<unsigned>(asked) : default_patience;
  }();
  return seconds;
}

void end_endless_waits() noexcept {
  const int process = getpid();
  int before = process_with_guard.load(base::relaxed);
  // relaxed: the thread reads nothing that this one has written
  if (before == process || !process_with_guard.compare_exchange_strong(before, process, base::relaxed, base::relaxed))
    return;
  // Signals are for the program's threads.
  sigset_t all, former;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pthread_attr_t detached;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  pthread_create(&thread, &detached, &end_endless_wait, nullptr);  // without it, a run that hangs is not ended
  pthread_attr_destroy(&detached);
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
}

}  // namespace tine::detail
