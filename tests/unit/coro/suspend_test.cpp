// Tasks that leave their worker for something outside: resume_on, awaiters that receive a resumption, threads that are
// lent.
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include "unit/coro/outsider.hpp"
#include "unit/run_child.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::pool;
using tine::resumption;
using tine::task;
using tine::worker_ref;
using tine::test::child_end;
using tine::test::outsider;
using tine::test::run_child;

/// An awaiter that resumes its task before await_suspend returns.
struct at_once {
  bool await_ready() const noexcept { return false; }
  void await_suspend(resumption r) const noexcept { r.resume(); }
  void await_resume() const noexcept {}
};

struct throws_on_return : at_once {
  void await_resume() const { throw 7; }
};

task<int> leaves(outsider& o, int depth) {
  if (depth == 0) co_return co_await o.give(1);
  int a = 0;
  co_await fork<leaves>(&a, o, depth - 1);
  if (depth % 2 == 0) co_await at_once{};  // between fork and join
  const int b = co_await call<leaves>(o, depth - 1);
  co_await join;
  co_return a + b;
}

/// Asks again and again for the worker `origin`, and counts in `astray` how often it is on another worker afterwards.
task<long> wanders(long n, worker_ref origin, std::atomic<int>& astray) {
  if (n < 2) co_return n;
  long a = 0;
  co_await fork<wanders>(&a, n - 1, origin, astray);
  if (n % 3 == 0) {
    co_await tine::resume_on(origin);
    if (tine::this_worker() != origin) astray.fetch_add(1);
  }
  const long b = co_await call<wanders>(n - 2, origin, astray);
  co_await join;
  co_await tine::resume_on(origin);
  if (tine::this_worker() != origin) astray.fetch_add(1);
  co_return a + b;
}

task<long> wanders_from_here(long n, std::atomic<int>& astray) {
  co_return co_await call<wanders>(n, tine::this_worker(), astray);
}

task<int> catches() {
  try {
    co_await throws_on_return{};
  } catch (int n) {
    co_return n;
  }
  co_return 0;
}

task<bool> moves_to_worker(worker_ref w) {
  co_await tine::resume_on(w);
  co_return tine::this_worker() != w;
}

task<> stays(worker_ref no_worker) { co_await tine::resume_on(no_worker); }

task<> waits() { co_await at_once{}; }

/// Keeps a task until `open` resumes it.
struct gate {
  std::optional<resumption> kept;
  bool await_ready() const noexcept { return false; }
  void await_suspend(resumption r) noexcept { kept = r; }
  void await_resume() const noexcept {}
  void open() const noexcept { kept->resume(); }
};

task<> passes(gate& g) { co_await g; }

/// A task with plain code in its middle. The code opens the gate `before`, if there is one, and then waits at the gate
/// `at`.
task<> waits_in_plain_code(gate& at, const gate* before) {
  if (before != nullptr) before->open();
  tine::run([&] { return passes(at); });
  co_return;
}

/// When the first fork's child ends on a worker, the continuation of the second fork is in that worker's deque.
task<int> forks_twice(gate& first, gate& second) {
  int passed = 0;
  co_await fork(waits_in_plain_code, first, nullptr);
  ++passed;
  co_await fork(waits_in_plain_code, second, &first);
  ++passed;
  second.open();
  co_await join;
  co_return passed;
}

TINE_IN_CHILD("a task that waits inside tine::sequential") {
  pool p{{.workers = 1}};
  p.run([] { tine::sequential([] { tine::run(waits); }); });
}

TEST_CASE("a task that waits for another thread continues when that thread resumes it") {
  outsider o;
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    CHECK(p.run(leaves, o, 5) == 32);
  }
}

TEST_CASE("a task for a worker whose thread works for another pool is resumed by any worker") {
  pool p{{.workers = 2}}, q{{.workers = 1}};
  CHECK(p.run([&] {
    const worker_ref here = tine::this_worker();
    return q.run([&] { return p.run(moves_to_worker, here); });
  }));
}

TEST_CASE("a child that ends late does not take its parent's next continuation for its own") {
  pool p{{.workers = 1}};
  gate first, second;
  CHECK(p.run(forks_twice, first, second) == 2);
}

TEST_CASE("a task continues on the worker that it names") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    std::atomic<int> astray{0};
    CHECK(p.run(wanders_from_here, 14L, astray) == 377);
    CHECK(astray.load() == 0);
  }
}

TEST_CASE("several threads' tasks name workers of each other's runs") {
  pool p{{.workers = 2}};
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0}, astray{0};
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        if (p.run(wanders_from_here, 10L, astray) != 55) wrong.fetch_add(1);
      }
    });
  }
  for (std::thread& t : callers) t.join();
  CHECK(wrong.load() == 0);
  CHECK(astray.load() == 0);
}

TEST_CASE("a worker that has left the pool is replaced by any other") {
  pool p{{.workers = 2}};
  worker_ref gone;
  std::thread{[&] { gone = p.run([] { return tine::this_worker(); }); }}.join();
  // this thread may have taken the slot of `gone`; then it is that worker
  CHECK_NOTHROW(p.run(stays, gone));
}

TEST_CASE("resume_on without a worker leaves the strand where it is") {
  pool p{{.workers = 1}};
  CHECK_NOTHROW(p.run(stays, worker_ref{}));
  CHECK(!tine::this_worker());
}

TEST_CASE("an awaiter's exception is the task's") {
  pool p{{.workers = 2}};
  CHECK(p.run(catches) == 7);
}

TEST_CASE("plain code waits for a task that waits for another thread, with forks open around it") {
  outsider o;
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    const int sum = p.run([&] {
      return tine::par([&] { return tine::run(leaves, o, 3); }, [&] { return tine::run(leaves, o, 2); },
                       [](int a, int b) { return 10 * a + b; });
    });
    CHECK(sum == 84);
  }
}

TEST_CASE("threads of the program's own work for a pool until they are stopped") {
  pool p{{.workers = 1, .pin = tine::affinity::none}};
  std::atomic<int> astray{0};
  for (int round = 0; round < 5; ++round) {
    std::vector<std::jthread> mine;
    for (int i = 0; i < 3; ++i) mine.emplace_back([&](std::stop_token stop) { tine::work_for(p, stop); });
    for (int k = 0; k < 5; ++k) CHECK(p.run(wanders_from_here, 10L, astray) == 55);
  }
  CHECK(astray.load() == 0);
  std::stop_source stopped;
  stopped.request_stop();
  tine::work_for(p, stopped.get_token());  // returns at once
}

TEST_CASE("waiting inside tine::sequential is refused by name") {
  const child_end end = run_child("a task that waits inside tine::sequential");
  CHECK(end.died_of(SIGABRT));
  CHECK(end.says("a task was suspended inside tine::sequential"));
}

TEST_CASE("a task does not continue on a worker of another pool") {
  pool here{{.workers = 2}}, there{{.workers = 2}};
  const worker_ref foreign = there.run([] { return tine::this_worker(); });
  const auto moves = [](worker_ref to) -> task<int> {
    co_await tine::resume_on(to);
    co_return 1;
  };
  CHECK_THROWS_AS(here.run(moves, foreign), std::invalid_argument);
  CHECK(there.run(moves, foreign) == 1);

  struct sent_on {
    worker_ref to;
    bool refused = false;
    bool await_ready() const noexcept { return false; }
    void await_suspend(resumption r) noexcept {
      try {
        r.resume_on(to);
      } catch (const std::invalid_argument&) {
        refused = true;
        r.resume();
      }
    }
    bool await_resume() const noexcept { return refused; }
  };
  const auto sends = [](worker_ref to) -> task<bool> { co_return co_await sent_on{to}; };
  CHECK(here.run(sends, foreign));
}

}  // namespace
