// The thread that looks at serial sessions. It lives as long as the process; a child of fork(2) starts its own. A mutex
// protects the list of sessions.
#include "replay/patience.hpp"

#include "replay/turns.hpp"

#include <pthread.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

namespace tine::detail {
namespace {

struct looked_at {
  std::mutex lock;
  std::vector<turns*> sessions;
  pid_t of = 0;  ///< the process whose thread runs
};

/// Never destroyed, because the thread outlives the static objects of the program.
looked_at& all() {
  static looked_at& w = *new looked_at;
  return w;
}

void keep_looking() {
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
    const std::lock_guard guard{all().lock};
    for (turns* const each : all().sessions) each->look();
  }
}

/// The program's signals must not run on this thread, so it blocks all of them.
void start() {
  sigset_t every, before;
  sigfillset(&every);
  pthread_sigmask(SIG_SETMASK, &every, &before);
  std::thread{&keep_looking}.detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void begin_patience(turns& session) {
  // fork(2) takes the lock, so in a child it is free; the sessions of the parent are gone there
  static const int registered = pthread_atfork([] { all().lock.lock(); }, [] { all().lock.unlock(); },
                                               [] {
                                                 all().sessions.clear();
                                                 all().lock.unlock();
                                               });
  static_cast<void>(registered);
  const std::lock_guard guard{all().lock};
  all().sessions.push_back(&session);
  if (all().of == getpid()) return;
  all().of = getpid();
  start();
}

void end_patience(turns& session) noexcept {
  const std::lock_guard guard{all().lock};
  std::erase(all().sessions, &session);
}

}  // namespace tine::detail
