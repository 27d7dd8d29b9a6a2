// Programs for doctor_test.py: each uses locks in one way. The first argument says which.
#include <tine/tine.hpp>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;

std::mutex first_lock, second_lock, third_lock, gate;
std::recursive_mutex recursive;
std::atomic<long> sum{0};

[[gnu::noinline]] void work() { sum.fetch_add(1); }
[[gnu::noinline]] void fork_twice() { tine::par(work, work); }

// --- a lock over a fork or a join --------------------------------------------------------------------------------

[[gnu::noinline]] void fork_while_holding() {
  const std::lock_guard hold{first_lock};
  fork_twice();
}
void rayon_592() { tine::par(fork_while_holding, fork_while_holding); }

void fork_after_release() {
  {
    const std::lock_guard hold{first_lock};
    work();
  }
  fork_twice();
}

void loop_while_holding() {
  const std::lock_guard hold{first_lock};
  tine::par_for(0, 100, [](int) { work(); });
}

void branch_that_keeps() {
  tine::par([] { first_lock.lock(); }, work);
  first_lock.unlock();
}

void iteration_that_keeps() {
  tine::par_for(0, 4, [](int i) {
    if (i == 1) recursive.lock();
    work();
  });
}

void locks_in_iterations() {
  tine::par_for(0, 1000, [](int) {
    const std::lock_guard hold{first_lock};
    work();
  });
}

void spins_while_holding() {
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&spin);
  fork_twice();
  pthread_spin_unlock(&spin);
  pthread_spin_destroy(&spin);
}
// Five ways to take a lock that may give up, each over a fork of its own.
void timed_while_holding() {
  std::timed_mutex mutex;
  std::shared_timed_mutex shared;
  const auto now = [] { return std::chrono::system_clock::now() + 10s; };
  const auto over_a_fork = [](auto take, auto release) {
    if (!take()) std::abort();
    fork_twice();
    release();
  };
  over_a_fork([&] { return mutex.try_lock_for(10s); }, [&] { mutex.unlock(); });
  over_a_fork([&] { return mutex.try_lock_until(now()); }, [&] { mutex.unlock(); });
  over_a_fork([&] { return shared.try_lock_for(10s); }, [&] { shared.unlock(); });
  over_a_fork([&] { return shared.try_lock_shared_for(10s); }, [&] { shared.unlock_shared(); });
  over_a_fork([&] { return shared.try_lock_shared(); }, [&] { shared.unlock_shared(); });
}

// Another thread has the lock, so the strand does not get it in time.
void gives_up_in_time() {
  std::timed_mutex mutex;
  std::thread{[&] { mutex.lock(); }}.join();
  if (mutex.try_lock_for(1ms)) std::abort();
  fork_twice();
}

// --- the order of locks ------------------------------------------------------------------------------------------

void both(std::mutex& a, std::mutex& b) {
  const std::lock_guard outer{a};
  const std::lock_guard inner{b};
  work();
}
[[gnu::noinline]] void first_second() { both(first_lock, second_lock); }
[[gnu::noinline]] void second_first() { both(second_lock, first_lock); }

template <class F>
auto under_gate(F f) {
  return [f] {
    const std::lock_guard whole{gate};
    f();
  };
}

void cycle() { tine::par(first_second, second_first); }
void cycle_in_series() {
  tine::par(first_second, work);
  tine::par(second_first, work);
}
void cycle_under_gate() { tine::par(under_gate(first_second), under_gate(second_first)); }
void cycle_below_a_gate() {
  const std::lock_guard hold{gate};
  tine::par(first_second, second_first);
}
void shared_cycle() {
  static std::shared_mutex one, other;
  const auto read = [](std::shared_mutex& a, std::shared_mutex& b) {
    const std::shared_lock outer{a}, inner{b};
    work();
  };
  tine::par([&] { read(one, other); }, [&] { read(other, one); });
}
void trylock_order() {
  const auto tries = [](std::mutex& a, std::mutex& b) {
    const std::lock_guard outer{a};
    if (b.try_lock()) b.unlock();
  };
  tine::par([&] { tries(first_lock, second_lock); }, [&] { tries(second_lock, first_lock); });
}
void recursion() {
  const auto again = [] {
    const std::lock_guard outer{recursive};
    const std::lock_guard inner{recursive};
    work();
  };
  tine::par(again, again);
}
// Two mutexes, one after the other at one address.
void destroyed() {
  pthread_mutex_t place;
  const auto with_own_lock = [&](auto use) {
    pthread_mutex_init(&place, nullptr);
    use();
    pthread_mutex_destroy(&place);
  };
  const auto lock_place = [&] {
    pthread_mutex_lock(&place);
    work();
  };
  tine::par(
      [&] {
        with_own_lock([&] {
          const std::lock_guard outer{first_lock};
          lock_place();
          pthread_mutex_unlock(&place);
        });
      },
      [&] {
        with_own_lock([&] {
          lock_place();
          {
            const std::lock_guard inner{first_lock};
            work();
          }
          pthread_mutex_unlock(&place);
        });
      });
}
// A wait for a condition gives the mutex back and takes it again. After its release the strand holds nothing.
void condition_gives_back() {
  std::condition_variable never;
  std::unique_lock hold{first_lock};
  never.wait_for(hold, 1ms);
  hold.unlock();
  fork_twice();
}
// A recursive lock that was taken twice and released once is still held.
void released_once() {
  const std::lock_guard outer{recursive};
  {
    const std::lock_guard inner{recursive};
  }
  fork_twice();
}
void cycle_in_loop() {
  tine::par_for(0, 64, [](int i) { i == 63 ? second_first() : i % 2 == 0 ? first_second() : work(); });
}

// --- released elsewhere ------------------------------------------------------------------------------------------

void released_elsewhere() {
  first_lock.lock();
  std::thread{[] { first_lock.unlock(); }}.join();
  fork_twice();  // the lock is not held any more
}
void released_here() {
  first_lock.lock();
  std::thread{work}.join();
  first_lock.unlock();
}

// --- waits -------------------------------------------------------------------------------------------------------

void hold_while(std::chrono::milliseconds time) {
  std::atomic<bool> is_held{false};
  std::thread other{[&] {
    const std::lock_guard hold{first_lock};
    is_held = true;
    std::this_thread::sleep_for(time);
  }};
  while (!is_held) std::this_thread::yield();
  first_lock.lock();
  first_lock.unlock();
  other.join();
}
void long_wait() { hold_while(100ms); }
void condition() {
  std::condition_variable never;
  std::unique_lock hold{first_lock};
  never.wait_for(hold, 60ms);
}
void deadlock() {
  std::atomic<int> holding{0};
  const auto takes = [&](std::mutex& a, std::mutex& b) {
    a.lock();
    ++holding;
    while (holding < 2) std::this_thread::yield();
    b.lock();
  };
  tine::par([&] { takes(first_lock, second_lock); }, [&] { takes(second_lock, first_lock); });
}
void hangs() {
  std::atomic<bool> is_held{false};
  std::thread{[&] {
    first_lock.lock();
    is_held = true;
    for (;;) pause();
  }}.detach();
  while (!is_held) std::this_thread::yield();
  first_lock.lock();
}

// --- coroutines --------------------------------------------------------------------------------------------------

tine::task<int> leaf() {
  work();
  co_return 1;
}
tine::task<int> forks_while_holding() {
  const std::lock_guard hold{first_lock};
  int one = 0;
  co_await tine::fork(&one, leaf);
  const int other = co_await tine::call(leaf);
  co_await tine::join;
  co_return one + other;
}

void in_forked_process(void (*root)()) {
  if (const pid_t child = fork(); child != 0) {
    waitpid(child, nullptr, 0);
    return;
  }
  tine::run(root);
  std::exit(0);
}

void two_roots(void (*a)(), void (*b)()) {
  std::thread one{[&] { tine::run(a); }};
  one.join();
  tine::run(b);
}
void overlapping_roots() {
  std::atomic<int> here{0};
  const auto meet = [&] {
    ++here;
    while (here < 2) std::this_thread::yield();
  };
  std::thread one{[&] {
    tine::pool p{{.workers = 1}};
    p.run([&] {
      meet();
      const std::lock_guard whole{third_lock};
      first_second();
    });
  }};
  tine::pool p{{.workers = 1}};
  p.run([&] {
    meet();
    third_lock.lock();
    third_lock.unlock();
    second_first();
  });
  one.join();
}

// The programs that run in one root.
const std::map<std::string, void (*)()> in_root{
    {"rayon_592", rayon_592},
    {"after_release", fork_after_release},
    {"loop", loop_while_holding},
    {"join", branch_that_keeps},
    {"iteration", iteration_that_keeps},
    {"iterations", locks_in_iterations},
    {"cycle", cycle},
    {"series", cycle_in_series},
    {"gate", cycle_under_gate},
    {"below_a_gate", cycle_below_a_gate},
    {"shared", shared_cycle},
    {"trylock", trylock_order},
    {"recursion", recursion},
    {"released_once", released_once},
    {"cycle_in_loop", cycle_in_loop},
    {"released_elsewhere", released_elsewhere},
    {"released_here", released_here},
    {"long_wait", long_wait},
    {"condition", condition},
    {"condition_gives_back", condition_gives_back},
    {"destroyed", destroyed},
    {"spin", spins_while_holding},
    {"timed", timed_while_holding},
    {"gives_up", gives_up_in_time},
    {"deadlock", deadlock},
    {"hangs", hangs},
};

}  // namespace

int main(int, char** argv) {
  const std::string kind = argv[1];
  if (const auto program = in_root.find(kind); program != in_root.end()) {
    tine::run(program->second);
  } else if (kind == "coroutine") {
    static_cast<void>(tine::run(forks_while_holding));
  } else if (kind == "forked") {
    tine::run(work);
    in_forked_process(fork_while_holding);
  } else if (kind == "found_before_fork") {
    tine::run(fork_while_holding);
    in_forked_process(work);
  } else if (kind == "roots_in_series") {
    two_roots(first_second, second_first);
  } else if (kind == "overlapping_roots") {
    overlapping_roots();
  } else if (kind == "outside") {
    first_second();
    second_first();
    tine::run(work);
  } else if (kind == "fails") {
    tine::run(work);
    return 7;
  } else if (kind == "crashes") {
    tine::run(fork_while_holding);
    std::abort();
  } else if (kind == "no_root") {
    return 0;
  } else {
    return 2;
  }
  return 0;
}
