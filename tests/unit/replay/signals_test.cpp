// Signals of thieves that come in the middle of a fork in a region.
#include "each_instruction.hpp"

#include <tine/augment.hpp>
#include <tine/detail/sched/region.hpp>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace {

using tine::test::each_instruction;
namespace sched = tine::sched;

/// The promotions by the signals in one fork.
struct promotions {
  sched::address oldest = nullptr;  ///< the oldest pending record before the signal
  int all = 0;
  const sched::position* in = nullptr;     ///< the position of the strand at the last promotion
  const sched::position* first = nullptr;  ///< its position in the first branch of the fork
} seen;

void look(bool after) {
  const sched::address bot = sched::hot::words().bot.load(tine::base::relaxed);
  if (after && bot != seen.oldest) {
    ++seen.all;
    seen.in = sched::position::current();
  }
  seen.oldest = bot;
}

/// The first branch. Signals come after each instruction from the begin of the fork until here.
int first() {
  each_instruction::stop();
  seen.first = sched::position::current();
  return 1;
}

int fork_under_signals() {
  each_instruction::start();
  const auto [a, b] = tine::par(first, [] { return 2; });
  return a + b;
}

/// Waits until `parked` is resumed.
std::optional<tine::resumption> parked;
struct park {
  bool await_ready() const { return false; }
  void await_suspend(tine::resumption r) const { parked = r; }
  void await_resume() const {}
};

/// Lets the worker begin with an empty fiber.
struct yield {
  bool await_ready() const { return false; }
  void await_suspend(tine::resumption r) const { r.resume(); }
  void await_resume() const {}
};

tine::task<int> first_task() { co_return first(); }
tine::task<int> quick_task() { co_return 2; }
tine::task<int> parked_task() {
  co_await park{};
  co_return 2;
}
tine::task<int> parked_forker() {
  co_await park{};
  co_return fork_under_signals();
}

/// The child continues on the fiber of its parent, at the same place of the shadow stack, when the record of its own
/// fork has left it.
tine::task<int> child_moves() {
  co_await yield{};
  int result = 0;
  co_await tine::fork<parked_forker>(&result);
  parked->resume();
  co_await tine::join;
  co_return result;
}

tine::task<int> forks_once() {
  int a = 0;
  each_instruction::start();
  co_await tine::fork<first_task>(&a);
  co_await tine::join;
  co_return a + 2;
}

/// The record of its second fork is where that of the first one was.
tine::task<int> forks_twice() {
  int a = 0, b = 0;
  co_await tine::fork<quick_task>(&a);
  each_instruction::start();
  co_await tine::fork<first_task>(&b);
  co_await tine::join;
  co_return a + b;
}

tine::task<int> forks_after_steal() {
  co_await yield{};
  int a = 0, b = 0;
  co_await tine::fork<parked_task>(&a);
  each_instruction::start();
  co_await tine::fork<first_task>(&b);
  parked->resume();
  co_await tine::join;
  co_return a + b;
}

tine::task<long> fib_task(int n) {
  if (n < 2) co_return n;
  long a = 0;
  co_await tine::fork<fib_task>(&a, n - 1);
  const long b = co_await tine::call<fib_task>(n - 2);
  co_await tine::join;
  co_return a + b;
}

long fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = tine::par([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

long fib_by_sporks(int n) {
  if (n < 2) return n;
  const auto second = [=] { return fib_by_sporks(n - 2); };
  const auto add_second = [=](long a) { return a + second(); };
  return tine::spork([=] { return fib_by_sporks(n - 1); }, second, add_second, std::plus<long>{}, add_second);
}

long fails_at(int n) {
  if (n == 0) throw n;
  return std::get<0>(tine::par([=] { return fails_at(n - 1); }, [] {}));
}

/// Forks in every way. Returns 3 * 2 + 190.
long program_under_signals() {
  each_instruction::start();
  const long forks = fib(3) + fib_by_sporks(3) + tine::run(fib_task, 3);
  const long sum = tine::par_reduce(0, 20, 0L, [](int i) { return long{i}; }, std::plus<long>{});
  try {
    fails_at(2);
  } catch (int) {
    each_instruction::stop();
    return forks + sum;
  }
  return 0;
}

}  // namespace

TEST_CASE("a program is right if a signal comes after each of its instructions" *
          doctest::skip(!tine::test::can_step)) {
  const each_instruction stepping{SIGURG, nullptr, 20'000};
  tine::pool eager{{.workers = 2, .promote = tine::promotion::eager()}};
  tine::pool on_demand{{.workers = 2, .promote = tine::promotion::on_demand(1, 1000)}};
  for (tine::pool* p : {&eager, &on_demand}) {
    const long before = each_instruction::steps();
    long plain = 0, recorded = 0, analysed = 0;
    p->run([&] { plain = program_under_signals(); });
    p->run([&] { static_cast<void>(tine::record([&] { recorded = program_under_signals(); })); });
    p->run([&] { tine::augment<tine::work_span>([&] { analysed = program_under_signals(); }); });
    CHECK(plain == 196);
    CHECK(recorded == 196);
    CHECK(analysed == 196);
    CHECK(each_instruction::steps() > before + 10'000);
  }
}

TEST_CASE("a signal promotes no fork that the region does not know" * doctest::skip(!tine::test::can_step)) {
  int result = 0;
  const auto fork = [&result] { result = fork_under_signals(); };
  const auto run = [&result](tine::task<int> (*task)()) { return [&result, task] { result = tine::run(task); }; };
  const std::pair<const char*, std::function<void()>> programs[] = {
      {"in the region itself", fork},
      {"in a second branch", [&fork] { tine::par([] {}, fork); }},
      {"in a first branch", [&fork] { tine::par(fork, [] {}); }},
      {"in a coroutine that continues on another fiber", run(child_moves)},
      {"by a coroutine", run(forks_once)},
      {"by a coroutine that has forked before", run(forks_twice)},
      {"by a coroutine that was stolen before", run(forks_after_steal)}};
  for (const auto& [where, program] : programs) {
    CAPTURE(std::string{where});
    // the only worker steals from itself
    tine::pool p{{.workers = 1, .promote = tine::promotion::eager()}};
    const each_instruction stepping{SIGURG, look, 10'000};
    seen = {};
    p.run([body = &program] { static_cast<void>(tine::record(*body)); });
    CHECK(std::exchange(result, 0) == 3);
    CHECK(seen.all == 1);
    CHECK(seen.first != nullptr);
    CHECK(seen.in == seen.first);
  }
}
