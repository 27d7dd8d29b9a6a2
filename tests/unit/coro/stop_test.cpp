// Stop tokens: forks throw tine::stopped, everything is joined, and what does not stop is not touched.
#include <tine/stop.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stop_token>
#include <thread>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::pool;
using tine::run_stoppable;
using tine::task;

std::atomic<long> alive{0};

struct guest {
  guest() { alive.fetch_add(1); }
  ~guest() { alive.fetch_sub(1); }
  guest(const guest&) = delete;
  guest& operator=(const guest&) = delete;
};

task<long> fib(long n) {
  const guest g;
  if (n < 2) co_return n;
  long a = 0;
  co_await fork<fib>(&a, n - 1);
  const long b = co_await call<fib>(n - 2);
  co_await join;
  co_return a + b;
}

/// Asks for the stop itself, somewhere in the middle.
task<long> stops_at(long n, std::stop_source& source, std::atomic<long>& countdown) {
  const guest g;
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

TEST_CASE("a token that never stops changes nothing") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    std::stop_source s;
    CHECK(p.run([&] { return run_stoppable(s.get_token(), fib, 15); }) == 610);
    CHECK(p.run([] { return run_stoppable(std::stop_token{}, fib, 15); }) == 610);
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
      CHECK(p.run(fib, 15) == 610);  // the pool's other work goes on
    }
  }
}

TEST_CASE("a stop request from a thread outside arrives") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    std::stop_source s;
    std::jthread t{[&] {
      while (alive.load() == 0) std::this_thread::yield();
      s.request_stop();
    }};
    CHECK_THROWS_AS(p.run([&] { run_stoppable(s.get_token(), fib, 70); }), tine::stopped);
    CHECK(alive.load() == 0);
  }
}

TEST_CASE("a stop that is requested already stops the first fork") {
  std::stop_source s;
  s.request_stop();
  CHECK_THROWS_AS(run_stoppable(s.get_token(), fib, 10), tine::stopped);
  CHECK(run_stoppable(s.get_token(), fib, 1) == 1);  // no fork, no stop
  CHECK(run_stoppable(s.get_token(), catches_stop) == 1);
}

TEST_CASE("regions nest: the outer one stops the inner one, not the other way round") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers}};
    std::stop_source outer, inner;
    inner.request_stop();
    const auto both = [&]() -> task<long> {
      long a = 0;
      co_await fork<fib>(&a, 10);
      bool stopped = false;
      try {
        run_stoppable(inner.get_token(), fib, 10);
      } catch (const tine::stopped&) {
        stopped = true;
      }
      co_await join;
      long b = 0;
      co_await fork<fib>(&b, 10);
      co_await join;
      co_return stopped ? a + b : 0;
    };
    CHECK(p.run([&] { return run_stoppable(outer.get_token(), both); }) == 110);
    outer.request_stop();
    std::stop_source fresh;
    CHECK_THROWS_AS(p.run([&] {
      return run_stoppable(outer.get_token(), [&] { return run_stoppable(fresh.get_token(), fib, 10); });
    }),
                    tine::stopped);
    CHECK(alive.load() == 0);
  }
}

}  // namespace
