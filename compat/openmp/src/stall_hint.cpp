// The watcher: a thread that compares the events of two moments.
#include "stall_hint.hpp"

#include "fail.hpp"

#include <pthread.h>
#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

namespace tine::openmp::stall_hint {
namespace {

constexpr std::chrono::seconds period{2};
constexpr int periods_to_hint = 5, periods_to_end = 30;

void look_for_stalls() {
  std::uint64_t before = 0;
  for (int stalled = 0, idle = 0; idle < periods_to_end;) {
    std::this_thread::sleep_for(period);
    const std::uint64_t now = events.load(std::memory_order_relaxed);
    const bool is_open = teams.load(std::memory_order_relaxed) != 0;
    idle = is_open ? 0 : idle + 1;
    stalled = is_open && now == before ? stalled + 1 : 0;
    before = now;
    if (stalled != periods_to_hint) continue;
    warn(
        "a team has more threads than there are workers, and for 10 s none of them has started, ended or reached a barrier. If they spin until others have written, they need threads that run at once: set TINE_OMP_THREADS=native.");
    return;
  }
  has_watcher.store(false, std::memory_order_relaxed);
}

}  // namespace

/// The watcher gets none of the program's signals. Without it, the program only lacks a hint.
void start_watcher() noexcept {
  if (has_watcher.exchange(true, std::memory_order_relaxed)) return;
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread{&look_for_stalls}.detach();
  } catch (const std::system_error&) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace tine::openmp::stall_hint
