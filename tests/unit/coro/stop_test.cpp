// Stop tokens: forks throw tine::stopped, all tasks are joined, and other work is not affected.
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include "unit/ways.hpp"

#include <sched.h>
#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::pool;
using tine::run_stoppable;
using tine::task;

std::atomic<long> alive{0};

struct counted_object {
  counted_object() { alive.fetch_add(1); }
  ~counted_object() { alive.fetch_sub(1); }
  counted_object(const counted_object&) = delete;
  counted_object& operator=(const counted_object&) = delete;
};

task<long> fib(long n) {
  const counted_object g;
  if (n < 2) co_return n;
  long a = 0;
  co_await fork<fib>(&a, n - 1);
  const long b = co_await call<fib>(n - 2);
  co_await join;
  co_return a + b;
}

/// Requests the stop itself, in the call in which `countdown` reaches 0.
task<long> stops_at(long n, std::stop_source& source, std::atomic<long>& countdown) {
  const counted_object g;
  if (countdown.fetch_sub(1) == 1) source.request_stop();
  if (n == 0) co_return 1;
  long a = 0;
  co_await fork<stops_at>(&a, n - 1, source, countdown);
  const long b = co_await call<stops_at>(n - 1, source, countdown);
  co_await join;
  co_return a + b;
}

task<int> catches_stop() {
  try {
    long a = 0;
    co_await fork<fib>(&a, 5);
    co_await join;
    co_return 0;
  } catch (const tine::stopped&) {
    co_return 1;
  }
}

TEST_CASE("a stop request ends the region by tine::stopped, with all tasks joined, and only that region") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    for (long after : {1L, 2L, 100L, 5000L}) {
      CAPTURE(workers);
      CAPTURE(after);
      std::stop_source s;
      std::atomic<long> countdown{after};
      CHECK_THROWS_AS(p.run([&] { run_stoppable(s.get_token(), stops_at, 40L, s, countdown); }), tine::stopped);
      CHECK(alive.load() == 0);
      CHECK(p.run([] { return run_stoppable(std::stop_token{}, fib, 15); }) == 610);  // the pool runs other work
    }
  }
}

TEST_CASE("a stop that is requested already stops the first fork") {
  std::stop_source s;
  s.request_stop();
  CHECK_THROWS_AS(run_stoppable(s.get_token(), fib, 10), tine::stopped);
  CHECK(run_stoppable(s.get_token(), fib, 1) == 1);  // no fork, no stop
  CHECK(run_stoppable(s.get_token(), catches_stop) == 1);
  CHECK(!tine::run_until_stopped(s.get_token(), fib, 15).has_value());
}

/// Forks until it is stopped.
task<> forks_until_stopped(long& forks) {
  for (;; ++forks) {
    long a = 0;
    co_await fork<fib>(&a, 1);
    co_await join;
  }
}

TEST_CASE("a stop reaches tasks that stolen plain branches run") {
  pool p{{.workers = 2, .promote = tine::promotion::eager()}};
  std::stop_source s;
  tine::test::meeting m{true};
  std::atomic<int> stops{0};
  const auto branch = [&] {
    long forks = 0;
    try {
      tine::run(forks_until_stopped, forks);
    } catch (const tine::stopped&) {
      ++stops;
      throw;
    }
  };
  const auto asks = [&] {
    s.request_stop();
    branch();
  };
  CHECK_THROWS_AS(p.run([&] { run_stoppable(s.get_token(), [&] { tine::par(m.first(asks), m.second(branch)); }); }),
                  tine::stopped);
  CHECK(stops == 2);
}

TEST_CASE("a stop that is requested already reaches plain forks inside tasks: no branch begins") {
  for (int round = 0; round < 10; ++round) {
    pool p{{.workers = 2}};
    std::stop_source s;
    std::atomic<int> ended{0};
    const auto outer = [&]() -> task<> {
      tine::par([&] { ++ended; }, [&] { ++ended; });
      co_return;
    };
    const auto asks = [&]() -> task<> {
      s.request_stop();
      co_await call(outer);
    };
    CHECK_THROWS_AS(p.run([&] { run_stoppable(s.get_token(), asks); }), tine::stopped);
    CHECK(ended == 0);
  }
}

TEST_CASE("an exception of a plain branch stops the tasks of the second one") {
  pool p{{.workers = 2, .promote = tine::promotion::eager()}};
  tine::test::meeting m{true};
  bool stops = false;
  const auto is_stopped = [&] {
    long forks = 0;
    try {
      tine::run(forks_until_stopped, forks);
    } catch (const tine::stopped&) {
      stops = true;
    }
  };
  CHECK_THROWS_AS(p.run([&] { tine::par(m.first([] { throw 1; }), m.second(is_stopped)); }), int);
  CHECK(stops);
}

/// An awaiter that waits until another thread resumes the task.
struct outside {
  std::atomic<bool>& waits;
  std::optional<tine::resumption>& task_here;
  bool await_ready() const noexcept { return false; }
  void await_suspend(tine::resumption r) noexcept {
    task_here = r;
    waits = true;
  }
  void await_resume() const noexcept {}
};

TEST_CASE("a task that waits outside while its region is stopped stops at its next fork") {
  for (const unsigned workers : {1U, 2U, 4U}) {
    pool p{{.workers = workers}};
    std::stop_source s;
    std::atomic<bool> waits{false};
    std::optional<tine::resumption> parked;
    bool went_on = false;
    std::jthread t{[&] {
      while (!waits.load()) std::this_thread::yield();
      s.request_stop();
      parked->resume();
    }};
    const auto waiter = [&]() -> task<> {
      co_await outside{waits, parked};
      went_on = true;
      long a = 0;
      co_await fork<fib>(&a, 1);
      co_await join;
      CHECK(false);
    };
    const auto root = [&]() -> task<> {
      co_await fork(waiter);
      co_await join;
    };
    CHECK_THROWS_AS(p.run([&] { run_stoppable(s.get_token(), root); }), tine::stopped);
    CHECK(went_on);
  }
}

TEST_CASE("a strand that waits at a join while its region is stopped stops at its next fork") {
  pool p{{.workers = 2, .promote = tine::promotion::eager()}};
  std::stop_source s;
  tine::test::meeting m{true};
  bool first_stops = false;
  CHECK_THROWS_AS(p.run([&] {
    run_stoppable(s.get_token(), [&] {
      tine::par([&] { m.first(); }, m.second([&] {
        // after this loop the strand of the first branch waits for this branch
        while (p.counters().suspensions == 0) sched_yield();
        s.request_stop();
      }));
      first_stops = tine::is_stopping();
      tine::par([] {}, [] {});
    });
  }),
                  tine::stopped);
  CHECK(first_stops);
}

/// Calls `stops_at` in a region of its own, in the middle of its own forks.
task<long> calls_stoppably(std::stop_source& source, long after, long& rest) {
  std::atomic<long> countdown{after};
  long a = 0;
  co_await fork<fib>(&a, 12);
  const std::optional<long> inner =
      co_await tine::call_until_stopped(source.get_token(), stops_at, 12L, source, countdown);
  co_await join;
  CHECK(!tine::is_stopping());
  co_await fork<fib>(&rest, 12);
  co_await join;
  co_return inner.has_value() ? *inner : -a;
}

TEST_CASE("a task awaits a stoppable call: its value, or nothing if it was stopped; the task continues") {
  for (const unsigned workers : {1U, 2U, 4U}) {
    for (const bool eager : {false, true}) {
      pool p{{.workers = workers, .promote = eager ? tine::promotion::eager() : tine::promotion::on_demand()}};
      for (const long after : {1L, 100L, 1'000'000L}) {
        for (int round = 0; round < 5; ++round) {
          std::stop_source s;
          long rest = 0;
          const long found = p.run(calls_stoppably, s, after, rest);
          CHECK(found == (after == 1'000'000 ? 4096 : -144));
          CHECK(rest == 144);
          CHECK(alive.load() == 0);
        }
      }
    }
  }
}

TEST_CASE("awaited regions nest, and an outer stop goes through an inner one as an exception") {
  pool p{{.workers = 2}};
  std::stop_source outer, inner;
  bool thrown = false;
  const auto innermost = [&]() -> task<int> {
    outer.request_stop();
    long a = 0;
    co_await fork<fib>(&a, 5);
    co_await join;
    co_return 1;
  };
  const auto middle = [&]() -> task<int> {
    try {
      co_await tine::call_until_stopped(inner.get_token(), innermost);
    } catch (const tine::stopped&) {
      thrown = true;
      throw;
    }
    co_return 2;
  };
  const auto root = [&]() -> task<bool> {
    const std::optional<int> r = co_await tine::call_until_stopped(outer.get_token(), middle);
    co_return r.has_value();
  };
  CHECK(p.run(root) == false);
  CHECK(thrown);
}

TEST_CASE("a stoppable call without a result, and one that throws something else") {
  std::stop_source s;
  const auto nothing_much = []() -> task<> { co_return; };
  const auto fails = []() -> task<> {
    throw 3;
    co_return;
  };
  const auto root = [&]() -> task<int> {
    int seen = (co_await tine::call_until_stopped(s.get_token(), nothing_much)).has_value() ? 1 : 0;
    try {
      co_await tine::call_until_stopped(s.get_token(), fails);
    } catch (int i) {
      seen += i;
    }
    co_return seen;
  };
  CHECK(tine::run(root) == 4);
}

TEST_CASE("an eventually stays empty when its task is not started because of a stop") {
  const auto two = []() -> task<std::string> { co_return "2"; };
  const auto root = [&two]() -> task<bool> {
    tine::eventually<long> number;
    tine::eventually<std::string> text;
    bool stopped = false;
    try {
      co_await fork(&number, fib, 1);
    } catch (const tine::stopped&) {
      stopped = true;
    }
    try {
      co_await fork(&text, two);
    } catch (const tine::stopped&) {
    }
    co_return stopped && !number.has_value() && !text.has_value();
  };
  std::stop_source s;
  s.request_stop();
  CHECK(run_stoppable(s.get_token(), root));
}

}  // namespace
