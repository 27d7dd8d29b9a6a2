// A program that comes to a known state and stays there, so that a debugger can look at it: held_app STATE [abort].
//
// Branches wait for each other, so each of them runs on a worker of its own and the state is the same in every run.
#include <tine/augment.hpp>
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool aborts = false;
volatile bool stays = true;

/// Waits without a fork: the worker is occupied, and its strand stays where it is.
void wait_for(const std::atomic<int>& what, int value) {
  while (what.load() < value) usleep(200);
}

/// Gives the strands that forked time to come to their joins.
void settle() { usleep(30'000); }

}  // namespace

/// The debugger stops here, or finds the program's core file.
extern "C" __attribute__((noinline)) void held() {
  if (aborts) std::abort();
  while (stays) usleep(1000);
}

namespace {

// --- a strand that was stolen three times over: each level's first branch waits until the second one runs elsewhere

std::atomic<int> begun{0};
std::atomic<int> let_go{0};

void bottom() {
  begun = 3;
  settle();
  held();
}

[[gnu::noinline]] void third() {
  tine::par([] { wait_for(begun, 3); },
            [] {
              bottom();
              usleep(1);
            });
  usleep(1);
}

[[gnu::noinline]] void second() {
  tine::par(
      [] {
        wait_for(begun, 2);
        wait_for(let_go, 1);
      },
      [] {
        begun = 2;
        third();
        usleep(1);
      });
  usleep(1);
}

[[gnu::noinline]] void first() {
  tine::par(
      [] {
        wait_for(begun, 1);
        wait_for(let_go, 1);
      },
      [] {
        begun = 1;
        second();
        usleep(1);
      });
  usleep(1);
}

/// The strands that forked run at their first branches.
void stolen() {
  tine::pool pool{{.workers = 4}};
  pool.run(first);
}

/// As `stolen`, but the strands that forked wait at their joins.
void joining() {
  let_go = 1;
  tine::pool pool{{.workers = 5}};
  pool.run(first);
}

// --- a coroutine that waits for something outside, under three forks

std::atomic<int> parked{0};

struct never {
  bool await_ready() const { return false; }
  void await_suspend(tine::resumption) const { ++parked; }
  void await_resume() const {}
};

tine::task<int> inner(int n) {
  co_await never{};
  co_return n + 1;
}

tine::task<int> outer(int n) {
  const int m = co_await tine::call<inner>(n);
  co_return m + 1;
}

int wait_until_parked() {
  wait_for(parked, 1);
  return 1;
}

[[gnu::noinline]] int third_waits() {
  const auto r = tine::par(wait_until_parked, [] { return tine::run(outer, 5); });
  return r.first + r.second;
}

[[gnu::noinline]] int second_waits() {
  const auto r = tine::par(wait_until_parked, [] { return third_waits() + 1; });
  return r.first + r.second;
}

[[gnu::noinline]] int first_waits() {
  const auto r = tine::par(
      [] {
        wait_until_parked();
        settle();
        held();
        return 1;
      },
      [] { return second_waits() + 1; });
  return r.first + r.second;
}

void coroutine() {
  tine::pool pool{{.workers = 4}};
  std::printf("%d\n", pool.run(first_waits));
}

// --- ten thousand suspended coroutines

constexpr int many_tasks = 10'000;

tine::task<int> one_of_many(int n) {
  co_await never{};
  co_return n;
}

tine::task<int> all_of_many(int n) {
  auto results = co_await tine::scratch<int>(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) co_await tine::fork<one_of_many>(&results[static_cast<std::size_t>(i)], i);
  co_await tine::join;
  co_return n;
}

void many() {
  tine::pool pool{{.workers = 2}};
  const auto both = [] {
    tine::par(
        [] {
          wait_for(parked, many_tasks);
          settle();
          held();
        },
        [] { tine::run(all_of_many, many_tasks); });
  };
  pool.run(both);
}

// --- a pool inside a pool

std::atomic<int> nested_begun{0};

[[gnu::noinline]] void in_second_pool() {
  tine::par([] { wait_for(nested_begun, 1); },
            [] {
              nested_begun = 1;
              settle();
              held();
              usleep(1);
            });
  usleep(1);
}

[[gnu::noinline]] void in_first_pool() {
  tine::par([] { wait_for(nested_begun, 1); },
            [] {
              tine::pool other{{.workers = 2}};
              other.run(in_second_pool);
            });
  usleep(1);
}

void nested() {
  tine::pool pool{{.workers = 2}};
  pool.run(in_first_pool);
}

// --- a subrange of a loop

std::atomic<int> iterations{0};

[[gnu::noinline]] void iterate() {
  tine::par_for(0, 2, [](int) {
    if (++iterations == 2) {
      settle();
      held();
    }
    wait_for(iterations, 3);
    usleep(1);
  });
  usleep(1);
}

void loop() {
  tine::pool pool{{.workers = 2}};
  pool.run(iterate);
}

// --- a deep recursion, with a fork at each level

[[gnu::noinline]] long down(long n) {
  if (n == 0) {
    settle();
    held();
    return 0;
  }
  return tine::par([n] { return down(n - 1); }, [] { return 1L; }, [](long a, long b) { return a + b; });
}

std::atomic<int> deep_begun{0};

void deep() {
  tine::pool pool{{.workers = 2, .stack_bytes = std::size_t{64} << 20}};
  const auto both = [] {
    tine::par([] { wait_for(deep_begun, 1); },
              [] {
                deep_begun = 1;
                down(20'000);
                usleep(1);
              });
  };
  pool.run(both);
}

// --- a storm of forks, joins and suspensions, for interrupts at any moment

[[gnu::noinline]] long fib(long n) {
  if (n < 2) return n;
  return tine::par([n] { return fib(n - 1); }, [n] { return fib(n - 2); }, [](long a, long b) { return a + b; });
}

tine::task<long> task_fib(long n) {
  if (n < 2) co_return n;
  long a;
  co_await tine::fork<task_fib>(&a, n - 1);
  const long b = co_await tine::call<task_fib>(n - 2);
  co_await tine::join;
  co_return a + b;
}

void storm() {
  tine::pool pool{{.workers = 3, .resume = tine::resume_policy::finisher}};
  long sum = 0;
  while (stays) {
    sum += pool.run(fib, 18);
    sum += pool.run(task_fib, 18);
    pool.run([] { tine::par_for(0, 64, [](int) { fib(8); }); });
  }
  std::printf("%ld\n", sum);
}

/// No pool at all.
void none() { held(); }

struct {
  const char* name;
  void (*run)();
} const states[] = {{"stolen", stolen}, {"joining", joining}, {"coroutine", coroutine},
                    {"many", many},     {"nested", nested},   {"loop", loop},
                    {"deep", deep},     {"storm", storm},     {"none", none}};

}  // namespace

int main(int argc, char** argv) {
  aborts = argc > 2 && std::strcmp(argv[2], "abort") == 0;
  for (const auto& s : states) {
    if (argc > 1 && std::strcmp(argv[1], s.name) == 0) {
      s.run();
      return 0;
    }
  }
  std::fputs("usage: held_app STATE [abort]\n", stderr);
  return 2;
}
