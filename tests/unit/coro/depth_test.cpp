// Recursion whose depth only memory limits: frames are on segmented stacks, and the native stack does not grow with the
// depth.
#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include <tine/detail/base/macros.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <stdexcept>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::pool;
using tine::promotion;
using tine::task;

// With sanitizers, frames are several times larger and each level takes a microsecond.
constexpr bool sanitized = TINE_ASAN != 0 || TINE_TSAN != 0;
constexpr long deep = sanitized ? 100'000 : 1'000'000;
constexpr long less_deep = 20'000;

task<long> by_fork(long n) {
  if (n == 0) co_return 0;
  long below;
  co_await fork<by_fork>(&below, n - 1);
  co_await join;
  co_return below + 1;
}
task<long> by_call(long n) {
  if (n == 0) co_return 0;
  co_return co_await call<by_call>(n - 1) + 1;
}
task<long> by_turns(long n) {
  if (n == 0) co_return 0;
  long below = 0, small = 0;
  if (n % 3 == 0) {
    below = co_await call(by_turns, n - 1);
  } else {
    co_await fork(&below, by_turns, n - 1);
    if (n % 1024 == 1) co_await fork(&small, by_fork, 5);
    co_await join;
    small = 0;
  }
  co_return below + small + 1;
}
/// Throws at the bottom; every tenth level catches the exception and throws a new one.
task<long> to_a_throw(long n) {
  if (n == 0) throw std::runtime_error{"bottom"};
  if (n % 2 == 0) co_return co_await call(to_a_throw, n - 1);
  long below = 0;
  try {
    co_await fork(&below, to_a_throw, n - 1);
    co_await join;
  } catch (const std::runtime_error&) {
    if (n % 10 != 5) throw;
    throw std::runtime_error{"again"};
  }
  co_return below;
}
/// Every level is a new run, on top of the native frames of the level before.
task<long> by_run(long n) {
  if (n == 0) co_return 0;
  long below = 0;
  co_await fork(&below, [](long m) -> task<long> { co_return tine::run(by_run, m); }, n - 1);
  co_await join;
  co_return below + 1;
}

}  // namespace

TEST_CASE("deep linear recursion by fork") {
  pool p{{.workers = 2}};
  CHECK(p.run(by_fork, deep) == deep);
}

TEST_CASE("deep linear recursion by call") {
  pool p{{.workers = 1}};
  CHECK(p.run(by_call, deep) == deep);
}

TEST_CASE("deep recursion on the smallest stacks") {
  for (const unsigned workers : {1U, 2U, 4U}) {
    for (const auto policy : {promotion::on_demand(1, 100), promotion::eager(), promotion::heartbeat(20, 5)}) {
      pool p{{.workers = workers, .promote = policy, .stack_bytes = std::size_t{64} << 10}};
      CHECK(p.run(by_turns, less_deep) == less_deep);
    }
  }
}

TEST_CASE("a stack used up again and again") {
  pool p{{.workers = 2, .promote = promotion::on_demand(1, 100), .stack_bytes = std::size_t{64} << 10}};
  const auto root = []() -> task<long> {
    long sum = 0;
    for (long n = 0; n < 3000; n += 37) {
      long a = 0;
      co_await fork(&a, by_turns, n);
      sum += co_await call(by_call, n);
      co_await join;
      sum -= a;
    }
    co_return sum;
  };
  CHECK(p.run(root) == 0);
}

TEST_CASE("an exception comes up from the depth") {
  const long n = sanitized ? 2'000 : 20'000;
  for (const auto policy : {promotion::on_demand(1, 100), promotion::eager()}) {
    pool p{{.workers = 2, .promote = policy}};
    CHECK_THROWS_WITH_AS(p.run(to_a_throw, n), "again", std::runtime_error);
    CHECK(p.run(by_fork, 1000) == 1000);
  }
}

TEST_CASE("runs within runs go as deep as the native stack") {
  for (const auto policy : {promotion::on_demand(1, 100), promotion::eager()}) {
    pool p{{.workers = 2, .promote = policy}};
    CHECK(p.run(by_run, 200) == 200);
  }
}
