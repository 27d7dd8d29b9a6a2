// Threads that call run: threads with the smallest stacks, threads that a branch has started, threads that are
// cancelled; and a program that exits from a branch.
#include <tine/tine.hpp>

#include "unit/coro/task_fib.hpp"
#include "unit/fib.hpp"
#include "unit/run_child.hpp"

#include <tine/detail/base/macros.hpp>

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#include <atomic>
#include <doctest/doctest.h>

#include <cstdlib>
#include <thread>

namespace {

using tine::par;
using tine::pool;
using tine::test::child_end;
using tine::test::claim;
using tine::test::fib;
using tine::test::run_child;
using tine::test::task_fib;

/// Runs forks and tasks in a pool of its own and in the default pool.
void* forks_and_tasks(void* sum) {
  pool p{{.workers = 2}};
  *static_cast<long*>(sum) = p.run([] { return fib(15); }) + p.run(task_fib, 15L) + fib(15) + tine::run(task_fib, 15L);
  return nullptr;
}

TINE_IN_CHILD("a branch that exits") {
  pool p{{.workers = 2}};
  p.run([] { par([] { std::exit(5); }, [] { fib(15); }); });
}

TINE_IN_CHILD("a thread that is cancelled in run") {
  pool p{{.workers = 2}};
  std::atomic<bool> begun{false}, is_cancelled{false};
  std::atomic<long> got{0};
  std::thread caller{[&] {
    got = p.run([&] {
      begun = true;
      while (!is_cancelled) sched_yield();
      return fib(15);
    });
    pthread_testcancel();
    got = 0;
  }};
  while (!begun) sched_yield();
  pthread_cancel(caller.native_handle());
  is_cancelled = true;
  caller.join();
  claim(got == 610, "run has ended before the thread, with its result");
  claim(p.run([] { return fib(15); }) == 610, "the pool works on");
}

}  // namespace

TEST_CASE("a thread with the smallest stack forks and runs tasks" * doctest::skip(TINE_ASAN != 0 || TINE_TSAN != 0)) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  REQUIRE(pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN) == 0);
  pthread_t thread;
  long sum = 0;
  REQUIRE(pthread_create(&thread, &small, forks_and_tasks, &sum) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&small);
  CHECK(sum == 4 * 610);
}

TEST_CASE("threads that branches start fork and run roots of their own") {
  pool p{{.workers = 4}};
  std::atomic<long> sum{0};
  p.run([&] {
    tine::par_for(0, 30, [&](int) { std::thread{[&] { sum += fib(10) + p.run([] { return fib(10); }); }}.join(); });
  });
  CHECK(sum == 30 * 110);
}

TEST_CASE("a program may exit from a branch" * doctest::skip(TINE_ASAN != 0 || TINE_TSAN != 0)) {
  const child_end end = run_child("a branch that exits");
  CHECK_MESSAGE(end.exited_with(5), end.said);
}

TEST_CASE("a thread that is cancelled while it calls run ends after it" * doctest::skip(TINE_TSAN != 0)) {
  tine::test::check_child("a thread that is cancelled in run");
}

TEST_CASE("a thief that has looked for long requests work from a caller that comes meanwhile") {
  pool p{{.workers = 2, .idle = tine::idle_policy::busy}};  // its own worker never begins a new search
  std::atomic<bool> over{false};
  std::thread first{[&] {
    p.run([&] {
      while (!over) sched_yield();
    });
  }};
  std::thread second{[&] {
    usleep(2000);
    p.run([&] {
      std::atomic<bool> begun{false};
      par(
          [&] {
            while (!begun) {
              tine::poll();
              sched_yield();
            }
          },
          [&] { begun = true; });
    });
    over = true;
  }};
  second.join();
  first.join();
}
