// Messages of debug builds, and of programs that define TINE_CHECKED, about misuse. Every case runs in a process of its
// own.
#include <tine/coro.hpp>

#include "unit/run_child.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>

#if TINE_CHECKS

namespace {

using tine::eventually;
using tine::fork;
using tine::join;
using tine::scratch;
using tine::task;
using tine::test::child_body;
using tine::test::child_end;
using tine::test::run_child;

task<long> one() { co_return 1; }
task<std::string> text() { co_return std::string(50, 'x'); }

void in_one_worker(task<> (*root)()) {
  tine::pool p{{.workers = 1}};
  p.run(root);
}

task<> calls_plainly() {
  static_cast<void>(one());
  co_return;
}
task<> forgets_the_join() {
  long a = 0;
  co_await fork(&a, one);
  co_return;
}
task<> reads_too_early() {
  eventually<std::string> s;
  static_cast<void>(s->size());
  co_await fork(&s, text);
  co_await join;
}
task<> reads_in_vain() {
  const auto thrower = []() -> task<std::string> {
    throw 1;
    co_return "";
  };
  eventually<std::string> s;
  try {
    co_await fork(&s, thrower);
    co_await join;
  } catch (int) {
  }
  static_cast<void>(s->size());
}
task<> ends_out_of_order() {
  auto first = co_await scratch<long>(3);
  auto second = co_await scratch<long>(3);
  std::destroy_at(&first);
  second[0] = 1;
}
task<> makes_scratch_in_a_fork() {
  long a = 0;
  co_await fork(&a, one);
  auto s = co_await scratch<long>(3);
  co_await join;
}

task<long> throws_before() { throw std::runtime_error{"no coroutine"}; }
task<> calls_throwing_task() { static_cast<void>(co_await tine::call(throws_before)); }

const child_body throwing_function{"a function that throws instead of a task",
                                   [] { in_one_worker(calls_throwing_task); }};
struct throws_late {
  static bool await_ready() noexcept { return false; }
  static void await_suspend(tine::resumption) { throw std::runtime_error{"too late"}; }
  static void await_resume() noexcept {}
};
task<> waits_in_vain() { co_await throws_late{}; }

const child_body late_throw{"an awaiter that throws when it has suspended", [] { in_one_worker(waits_in_vain); }};
const child_body plain_call{"a coroutine called as a function", [] { in_one_worker(calls_plainly); }};
const child_body plain_call_outside{"the same outside every pool", [] { static_cast<void>(one()); }};
const child_body no_join{"a fork without a join", [] { in_one_worker(forgets_the_join); }};
const child_body early{"an eventually read too early", [] { in_one_worker(reads_too_early); }};
const child_body in_vain{"an eventually read after an exception", [] { in_one_worker(reads_in_vain); }};
const child_body disorder{"scratch arrays out of order", [] { in_one_worker(ends_out_of_order); }};
const child_body inside{"scratch between fork and join", [] { in_one_worker(makes_scratch_in_a_fork); }};

void check_death(const char* name, const char* message) {
  const child_end end = run_child(name);
  INFO(end.said);
  CHECK(end.died_of(SIGABRT));
  CHECK(end.says("tine: "));
  CHECK(end.says(message));
}

}  // namespace

TEST_CASE("a coroutine called as if it were a function") {
  check_death("a coroutine called as a function", "called as if it were a function");
  check_death("the same outside every pool", "called as if it were a function");
}

TEST_CASE("a function that is no coroutine and throws") {
  check_death("a function that throws instead of a task", "a function that was to start a task threw");
}

TEST_CASE("an await_suspend that throws") {
  check_death("an awaiter that throws when it has suspended", "the await_suspend of an awaiter threw");
}

TEST_CASE("a task that ends before its join") { check_death("a fork without a join", "without a join"); }

TEST_CASE("an eventually that is empty") {
  check_death("an eventually read too early", "co_await tine::join first");
  check_death("an eventually read after an exception", "before its task had given it a value");
}

TEST_CASE("scratch arrays that end out of order") { check_death("scratch arrays out of order", "reverse order"); }

TEST_CASE("scratch between a fork and its join") { check_death("scratch between fork and join", "between a fork"); }

#endif
