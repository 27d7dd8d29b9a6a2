// par outside every pool: the default pool serves it, for any number of threads at once.
#include <tine/tine.hpp>

#include "emulated.hpp"
#include "unit/fib.hpp"
#include "unit/run_child.hpp"
#include "unit/ways.hpp"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::par;
using tine::test::child_end;
using tine::test::claim;
using tine::test::fib;
using tine::test::run_child;

std::string thrown_outside() {
  try {
    par([]() -> int { throw std::runtime_error{"outside"}; }, [] {});
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "nothing";
}

TINE_IN_CHILD("the default pool takes TINE_NUM_THREADS") {
  claim(fib(15) == 610, "fib(15)");
  claim(tine::default_pool().workers() == 3, "three workers");
}

// Both processes pin their workers to the same processors. A meeting ends only if two workers of one process run at the
// same time.
TINE_IN_CHILD("beside another process") {
  for (int round = 0; round < 50; ++round) {
    tine::test::meeting m{true};
    par([&] { m.first(); }, [&] { m.second(); });
    claim(fib(18) == 2584, "fib(18)");
    const long sum = tine::par_reduce(0, 10'000, 0L, [](long i) { return i; }, std::plus<>{});
    claim(sum == 49'995'000, "the sum");
  }
}

TINE_IN_CHILD("a bad variable, the default pool") { fib(5); }
TINE_IN_CHILD("a bad variable, a pool of the program's own") { tine::pool p; }

/// Calls fork(2), which copies only the calling thread, and runs `body` in the child. Returns the child's status.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    body();
    std::_Exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// Claims that the body returns in a child.
template <class Body>
void in_child(Body body) {
  const int status = status_of_child(body);
  claim(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child ended well");
}

void claim_aborted(int status) {
  claim(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "the child ended with a message");
}

void use_default_pool_in_child() {
  claim(fib(15) == 610, "before the fork");
  in_child([] {
    claim(fib(20) == 6765, "in the child");
    tine::test::meeting m{true};
    par([&] { m.first(); }, [&] { m.second(); });  // returns only if there is a second worker
    claim(tine::default_pool().workers() == 2, "two workers in the child");
  });
  claim(fib(15) == 610, "after the fork");
}

TINE_IN_CHILD("the default pool after fork(2)") {
  use_default_pool_in_child();
  use_default_pool_in_child();
}

TINE_IN_CHILD("fork(2) in branches") {
  tine::pool p{{.workers = 4}};
  p.run([] { tine::par_for(0, 20, [](int) { in_child([] { claim(fib(15) == 610, "in a child"); }); }); });
  claim(p.run([] { return fib(15); }) == 610, "the pool works on");
}

/// A pool with threads of its own, and one with a resident, are used in a child, in its child, and again in the parent.
TINE_IN_CHILD("pools of the parent after fork(2)") {
  tine::pool p{{.workers = 3}};
  auto q = std::make_unique<tine::pool>(tine::options{.workers = 1});
  claim(p.run(fib, 15) == 610 && q->submit(fib, 10).get() == 55, "before the fork");
  const auto use = [&] {
    claim(p.run(fib, 15) == 610, "run");
    claim(p.run([&] { return p.run(fib, 10) + q->run(fib, 10); }) == 110, "run inside run");
    claim(p.submit(fib, 12).get() == 144 && q->submit(fib, 12).get() == 144, "submit");
    tine::test::meeting m{true};
    p.run([&] { par([&] { m.first(); }, [&] { m.second(); }); });
    claim(p.workers() == 3 && p.counters().steals > 0, "threads of its own");
  };
  in_child([&] {
    use();
    in_child(use);
    use();
    q.reset();
  });
  in_child([&] { q.reset(); });
  use();
}

/// The handle of a root of the parent is no use in the child.
TINE_IN_CHILD("a handle of the parent after fork(2)") {
  tine::pool p{{.workers = 1}};
  std::atomic<bool> over{false};
  auto h = p.submit([&] {
    while (!over) usleep(100);
  });
  claim_aborted(status_of_child([&] { h.wait(); }));
  over = true;
  h.get();
}

/// The child is forked while its branch's sibling runs on another thread.
TINE_IN_CHILD("a stolen branch after fork(2)") {
  tine::pool p{{.workers = 2}};
  std::atomic<bool> begun{false};
  std::atomic<bool> over{false};
  p.run([&] {
    par(
        [&] {
          while (!begun) usleep(100);
          const pid_t child = fork();
          if (child == 0) {
            alarm(30);
            return;
          }
          int status = 0;
          waitpid(child, &status, 0);
          claim_aborted(status);
          over = true;
        },
        [&] {
          begun = true;
          while (!over) usleep(100);
        });
  });
}

/// Another thread begins and ends pools, each of which maps a fiber and its guard pages.
TINE_IN_CHILD("fork(2) while another thread maps fibers") {
  tine::pool{{.workers = 1}}.run([] {});  // sets up what a process needs once
  std::atomic<bool> over{false};
  std::thread maps{[&] {
    while (!over) tine::pool{{.workers = 1}}.run([] {});
  }};
  for (int i = 0; i < 50; ++i) in_child([] { tine::pool{{.workers = 1}}.run([] {}); });
  over = true;
  maps.join();
}

}  // namespace

TEST_CASE("threads outside every pool fork at once") {
  std::vector<std::thread> threads;
  std::vector<long> sums(16);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    threads.emplace_back([&sum = sums[i]] {
      const pid_t origin = gettid();
      for (int n = 0; n < 20; ++n) {
        sum += fib(n);
        if (gettid() != origin || thrown_outside() != "outside") sum = -1'000'000;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const long sum : sums) CHECK(sum == 10945);
}

TEST_CASE("the default pool is one and the same") {
  CHECK(&tine::default_pool() == &tine::default_pool());
  tine::pool other{{.workers = 1}};
  CHECK(other.run([] { return &tine::default_pool(); }) == &tine::default_pool());
}

TEST_CASE("TINE_NUM_THREADS sets the size of the default pool") {
  tine::test::check_child("the default pool takes TINE_NUM_THREADS", {{"TINE_NUM_THREADS", "3"}});
}

TEST_CASE("two processes with pinned pools work side by side") {
  std::atomic<int> good{0};
  std::vector<std::thread> each;
  for (int i = 0; i < 2; ++i) {
    each.emplace_back(
        [&] { good += run_child("beside another process", {{"TINE_NUM_THREADS", "2"}}).exited_with(0) ? 1 : 0; });
  }
  for (std::thread& t : each) t.join();
  CHECK(good.load() == 2);
}

TEST_CASE("a bad variable of the environment ends the process with a message") {
  for (const char* body : {"a bad variable, the default pool", "a bad variable, a pool of the program's own"}) {
    for (const char* name : {"TINE_NUM_THREADS", "TINE_STACK_BYTES", "TINE_RECORD_BYTES", "TINE_MAX_CALLERS"}) {
      const child_end end = run_child(body, {{name, "many"}});
      CHECK(end.exited_with(2));
      CHECK(end.said.starts_with("tine: " + std::string{name} + " is \"many\": give "));
      CHECK(std::ranges::count(end.said, '\n') == 1);
    }
  }
}

TEST_CASE("the default pool starts anew in the child of a fork(2)" * doctest::skip(TINE_TSAN != 0)) {
  // not under ThreadSanitizer, which allows no new threads after such a fork
  tine::test::check_child("the default pool after fork(2)", {{"TINE_NUM_THREADS", "2"}});
}

TEST_CASE("a branch may call fork(2), and the child may fork in the default pool" * doctest::skip(TINE_TSAN != 0)) {
  tine::test::check_child("fork(2) in branches", {{"TINE_NUM_THREADS", "2"}});
}

TEST_CASE("the child of a fork(2) beside a thread that maps fibers can map fibers" * doctest::skip(TINE_TSAN != 0)) {
  if (tine::test::skips_emulated("a child of fork(2) may find a lock of qemu taken, by a thread that it does not have"))
    return;
  tine::test::check_child("fork(2) while another thread maps fibers");
}

// The names of rayon's issues 751 and 854 stand for their subjects: pools after fork(2), and calls of one pool inside
// another one.
TEST_CASE("rayon issue 751: a pool of the parent works in a child of fork(2)" * doctest::skip(TINE_TSAN != 0)) {
  tine::test::check_child("pools of the parent after fork(2)");
}

TEST_CASE("a child of fork(2) that would wait for its parent ends with a message" * doctest::skip(TINE_TSAN != 0)) {
  const child_end handle = run_child("a handle of the parent after fork(2)");
  CHECK_MESSAGE(handle.exited_with(0), handle.said);
  CHECK(handle.says("tine: a child of fork(2) waits for a root that was submitted by its parent."));
  const child_end stolen = run_child("a stolen branch after fork(2)");
  CHECK_MESSAGE(stolen.exited_with(0), stolen.said);
  CHECK(stolen.says(
      "tine: a child of fork(2), forked inside a pool, waits for work that a thread of its parent had taken"));
}

TEST_CASE("rayon issue 854: pools call each other in a circle") {
  tine::pool a{{.workers = 1}};
  tine::pool b{{.workers = 1}};
  for (int i = 0; i < 50; ++i) {
    CHECK(a.run([&] { return b.run([&] { return a.run([&] { return b.run(fib, 10); }); }); }) == 55);
    CHECK(a.submit([&] {
             return b.submit([&] { return a.submit([&] { return b.submit(fib, 10).get(); }).get(); }).get();
           }).get() == 55);
  }
}
