// Programs for doctor_test.py: each uses locks in one way. The first argument says which.
#include <tine/stop.hpp>
#include <tine/sync.hpp>
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

// --- what suspends -----------------------------------------------------------------------------------------------

tine::mutex tine_first, tine_second;
tine::timed_mutex tine_timed;
tine::shared_mutex tine_shared;
tine::counting_semaphore<> no_permits{0};
tine::latch never_open{1};
tine::barrier<> never_full{2};
tine::condition_variable never_notified;
tine::condition_variable_any never_any;
std::once_flag std_flag;
tine::once_flag tine_flag;

template <class A, class B>
auto takes(A& a, B& b) {
  return [&] {
    const std::lock_guard outer{a};
    const std::lock_guard inner{b};
    work();
  };
}
void tine_cycle() { tine::par(takes(tine_first, tine_second), takes(tine_second, tine_first)); }
void mixed_cycle() { tine::par(takes(tine_timed, first_lock), takes(first_lock, tine_timed)); }
void tine_readers() {
  const auto read_then = [](tine::mutex& then, bool is_first) {
    return [&then, is_first] {
      const auto use = [](auto& a, auto& b) {
        const std::scoped_lock outer{a};
        const std::scoped_lock inner{b};
        work();
      };
      std::shared_lock reads{tine_shared, std::defer_lock};
      is_first ? use(reads, then) : use(then, reads);
    };
  };
  tine::par(read_then(tine_first, true), read_then(tine_first, false));
}
void write_while_reading() {
  tine::par(
      [] {
        const std::shared_lock reads{tine_shared};
        const std::lock_guard inner{tine_first};
      },
      [] {
        const std::lock_guard outer{tine_first};
        const std::lock_guard writes{tine_shared};
      });
}
void tine_tries() {
  const auto tries = [](tine::mutex& a, tine::mutex& b) {
    const std::lock_guard outer{a};
    if (b.try_lock()) b.unlock();
  };
  tine::par([&] { tries(tine_first, tine_second); }, [&] { tries(tine_second, tine_first); });
}
// tine::mutex may be held over forks, and released by the strand that joins the one that took it.
void tine_over_forks() {
  tine::par([] { tine_first.lock(); }, work);
  fork_twice();
  tine_first.unlock();
  tine::par_for(0, 200, [](int) {
    const std::lock_guard hold{tine_first};
    fork_twice();
  });
}
tine::task<> locks_both(tine::mutex& a, tine::mutex& b) {
  co_await a.lock();
  co_await b.lock();
  b.unlock();
  a.unlock();
}
tine::task<> coroutine_cycle() {
  co_await tine::fork(locks_both, std::ref(tine_first), std::ref(tine_second));
  co_await tine::call(locks_both, std::ref(tine_second), std::ref(tine_first));
  co_await tine::join;
}
void remedy() {
  const std::lock_guard hold{first_lock};
  tine::sequential([] {
    fork_twice();
    tine::par_for(0, 10, [](int) { work(); });
    const std::lock_guard inner{tine_first};
  });
}
void group_while_holding() {
  tine::task_group group;
  const std::lock_guard hold{first_lock};
  for (int i = 0; i < 3; ++i) group.run(work);
  group.wait();
}
void suspends_while_holding() {
  const std::lock_guard hold{first_lock};
  const std::lock_guard inner{tine_first};
}
void once_forks() { std::call_once(std_flag, fork_twice); }
void once_throws() {
  std::once_flag flag;
  try {
    std::call_once(flag, [] { throw std::runtime_error{"once"}; });
  } catch (const std::runtime_error&) {
    fork_twice();
  }
  std::call_once(flag, work);
  fork_twice();
}
long forked_sum() {
  return tine::par_reduce(0, 10, 0L, [](int i) { return long{i}; }, std::plus<>{});
}
void static_forks() {
  static const long table = forked_sum();
  sum += table;
}
void tine_once_forks() { tine::call_once(tine_flag, fork_twice); }
void once_cycle() {
  tine::par([] { std::call_once(std_flag, [] { const std::lock_guard inner{first_lock}; }); },
            [] {
              const std::lock_guard hold{first_lock};
              std::call_once(std_flag, work);
            });
}
// At one worker the call has been made when the second branch comes.
void tine_once_cycle() {
  tine::par([] { tine::call_once(tine_flag, [] { const std::lock_guard inner{tine_first}; }); },
            [] {
              const std::lock_guard hold{tine_first};
              tine::call_once(tine_flag, work);
            });
}
void tine_gives_up() {
  tine_timed.lock();
  tine::par(
      [] {
        if (tine_timed.try_lock_for(1ms)) std::abort();
        if (no_permits.try_acquire_for(1ms)) std::abort();
        std::unique_lock hold{tine_first};
        never_notified.wait_for(hold, 1ms);
        never_any.wait_for(hold, 1ms);
      },
      work);
  tine_timed.unlock();
  fork_twice();
}
void all_wait() {
  tine_first.lock();
  const auto waits_for = [](auto& condition, tine::mutex& m) {
    std::unique_lock hold{m};
    condition.wait(hold);
  };
  static tine::mutex of_condition, of_any;
  tine::par([] { tine_first.lock(); }, [] { no_permits.acquire(); }, [] { never_open.wait(); },
            [] { never_full.arrive_and_wait(); }, [&] { waits_for(never_notified, of_condition); },
            [&] { waits_for(never_any, of_any); });
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
    {"tine_cycle", tine_cycle},
    {"mixed_cycle", mixed_cycle},
    {"tine_readers", tine_readers},
    {"write_while_reading", write_while_reading},
    {"tine_tries", tine_tries},
    {"tine_over_forks", tine_over_forks},
    {"remedy", remedy},
    {"group", group_while_holding},
    {"suspends", suspends_while_holding},
    {"once_forks", once_forks},
    {"once_throws", once_throws},
    {"static_forks", static_forks},
    {"tine_once_forks", tine_once_forks},
    {"once_cycle", once_cycle},
    {"tine_once_cycle", tine_once_cycle},
    {"tine_gives_up", tine_gives_up},
    {"all_wait", all_wait},
};

}  // namespace

int main(int, char** argv) {
  const std::string kind = argv[1];
  if (const auto program = in_root.find(kind); program != in_root.end()) {
    tine::run(program->second);
  } else if (kind == "coroutine") {
    static_cast<void>(tine::run(forks_while_holding));
  } else if (kind == "coroutine_cycle") {
    tine::run(coroutine_cycle);
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
