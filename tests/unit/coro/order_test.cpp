// The order in which a program's tasks run, and calls between coroutines, managed code and plain code.
#include <tine/coro.hpp>
#include <tine/tine.hpp>

#include "unit/coro/task_fib.hpp"
#include "unit/ways.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace {

using tine::call;
using tine::fork;
using tine::join;
using tine::pool;
using tine::promotion;
using tine::task;
using tine::test::check_in_every_way;
using tine::test::meeting;
using tine::test::task_fib;

/// Appends a character when it begins, after each fork, call and join, and when it ends.
task<> story(std::string& s, int depth) {
  s += '(';
  if (depth > 0) {
    co_await fork(story, s, depth - 1);
    s += 'a';
    co_await call(story, s, depth - 1);
    s += 'b';
    co_await fork(story, s, depth - 2);
    s += 'c';
    co_await join;
    s += 'd';
  }
  s += ')';
}

void serial_story(std::string& s, int depth) {
  s += '(';
  if (depth > 0) {
    serial_story(s, depth - 1);
    s += 'a';
    serial_story(s, depth - 1);
    s += 'b';
    serial_story(s, depth - 2);
    s += "cd";
  }
  s += ')';
}

struct ending {
  std::string& to;
  char name;
  ending(std::string& t, char n) : to{t}, name{n} {}
  ending(ending&& other) noexcept : to{other.to}, name{std::exchange(other.name, ' ')} {}
  ~ending() {
    if (name != ' ') to += name;
  }
};

task<> holds(std::string& s, ending) {
  const ending local{s, 'l'};
  s += 'h';
  co_return;
}

}  // namespace

TEST_CASE("one worker follows the serial elision, whether it promotes nothing or everything") {
  for (const auto policy : {promotion::on_demand(), promotion::eager()}) {
    pool p{{.workers = 1, .promote = policy}};
    std::string expected, found;
    serial_story(expected, 6);
    p.run(story, found, 6);
    CHECK(found == expected);
    CHECK((p.counters().promotions > 0) == (policy.which() == promotion::kind::eager));
  }
}

TEST_CASE("a child runs at its fork, and its locals and arguments end before the parent continues") {
  pool p{{.workers = 1}};
  const auto root = [](std::string& s) -> task<> {
    s += '<';
    co_await fork(holds, s, ending{s, 'f'});
    s += '|';
    co_await call(holds, s, ending{s, 'c'});
    s += '>';
    co_await join;
  };
  std::string s;
  p.run(root, s);
  CHECK(s == "<hlf|hlc>");
}

TEST_CASE("joins without forks, and many in a row") {
  check_in_every_way(9900, [](meeting& met) -> task<long> {
    co_await join;
    long sum = 0;
    for (int i = 0; i < 100; ++i) {
      long a = 0, b = 0;
      co_await fork(
          &a,
          [](meeting& x, long v) -> task<long> {
            x.first();
            co_return v;
          },
          met, i);
      met.second();
      co_await fork(&b, [](long v) -> task<long> { co_return v; }, i);
      co_await join;
      co_await join;
      sum += a + b;
    }
    co_return sum;
  });
}

TEST_CASE("hundreds of open forks in one task") {
  for (const unsigned workers : {1U, 2U, 8U}) {
    pool p{{.workers = workers, .promote = promotion::eager()}};
    const auto root = []() -> task<long> {
      std::vector<long> results(700);
      for (std::size_t i = 0; i < results.size(); ++i) co_await fork(&results[i], task_fib, static_cast<long>(i % 7));
      co_await join;
      long sum = 0;
      for (std::size_t i = 0; i < results.size(); ++i) sum += results[i] * static_cast<long>(i % 7);
      co_return sum;
    };
    CHECK(p.run(root) == 100 * (1 * 1 + 2 * 1 + 3 * 2 + 4 * 3 + 5 * 5 + 6 * 8));
  }
}

TEST_CASE("runs in the default pool, from plain threads") {
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { right += tine::run(task_fib, 18) == 2584; });
  for (std::thread& t : threads) t.join();
  CHECK(right == 4);
}

TEST_CASE("sequential regions hold for tasks too") {
  pool p{{.workers = 4, .promote = promotion::eager()}};
  CHECK(p.run([] { return tine::sequential([] { return tine::run(task_fib, 12); }); }) == 144);
  CHECK(p.counters().promotions == 0);
}
