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

TINE_IN_CHILD("a pool in a destructor at the end of the process") {
  struct last {
    ~last() {
      tine::pool p{{.workers = 8}};
      int sum = 0;
      p.run([&] { tine::par([&] { sum += 1; }, [] {}); });
      std::_Exit(sum == 1 ? 7 : 8);
    }
  };
  static last made_first;  // so it is destroyed after whatever the pool below makes
  tine::pool{{.workers = 8}}.run([] {});
  std::exit(9);
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

// a thread, because bodies run before main, where pthread_exit has no place to return to
TINE_IN_CHILD("a root that ends its thread") {
  pool p{{.workers = 1}};
  std::thread{[&] { p.run([] { pthread_exit(nullptr); }); }}.join();
}

TINE_IN_CHILD("a stolen branch that ends its thread") {
  pool p{{.workers = 2}};
  std::atomic<bool> begun{false};
  p.run([&] {
    par(
        [&] {
          while (!begun) sched_yield();
        },
        [&] {
          begun = true;
          pthread_exit(nullptr);
        });
  });
}

TINE_IN_CHILD("an iteration that ends its thread") {
  std::thread{[] {
    tine::par_for(0, 1000, [](int i) {
      if (i == 500) pthread_exit(nullptr);
    });
  }}.join();
}

tine::task<long> ends_thread(long n) {
  if (n == 0) pthread_exit(nullptr);
  co_return co_await tine::call<ends_thread>(n - 1);
}

TINE_IN_CHILD("a task that ends its thread") {
  std::thread{[] { static_cast<void>(tine::run(ends_thread, 3L)); }}.join();
}

TINE_IN_CHILD("a task of a group that ends its thread") {
  std::thread{[] {
    tine::task_group g;
    g.run([] { pthread_exit(nullptr); });
    g.wait();
  }}.join();
}

TINE_IN_CHILD("a thread that is cancelled in a branch") {
  pool p{{.workers = 2}};
  std::atomic<bool> begun{false};
  std::thread caller{[&] {
    p.run([&] {
      par(
          [&] {
            begun = true;
            for (;;) pthread_testcancel();
          },
          [] {});
    });
  }};
  while (!begun) sched_yield();
  pthread_cancel(caller.native_handle());
  caller.join();
}

}  // namespace

// ThreadSanitizer has no pthread_exit on a fiber.
TEST_CASE("a thread that ends in a branch or a root ends the program with a message" * doctest::skip(TINE_TSAN != 0)) {
  for (const char* name : {"a root that ends its thread", "a stolen branch that ends its thread",
                           "an iteration that ends its thread", "a task that ends its thread",
                           "a task of a group that ends its thread", "a thread that is cancelled in a branch"}) {
    CAPTURE(std::string{name});
    const child_end end = run_child(name);
    CHECK_MESSAGE((end.died_of(SIGABRT) && end.says("tine: pthread_exit, a cancellation")), end.said);
  }
}

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

TEST_CASE("a pool may start while static objects are destroyed") {
  CHECK(run_child("a pool in a destructor at the end of the process").exited_with(7));
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

TEST_CASE("a caller gets the lowest free number") {
  pool p{{.workers = 1}};
  p.run([&] {
    CHECK(tine::worker_index() == 0);
    std::thread{[&] { p.run([] { CHECK(tine::worker_index() == 1); }); }}.join();
  });
  p.run([] { CHECK(tine::worker_index() == 0); });
  p.run([] { CHECK(tine::worker_index() == 0); });
}
