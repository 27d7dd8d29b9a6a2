// The sampled analysis: its intervals contain the exact work and span. Time is virtual: a counter of each thread, which
// only `spend` moves on, so the answers of programs are known exactly, whatever is skipped or stolen.
#include "augment/sampled_fork.hpp"

#include <tine/augment.hpp>
#include <tine/augment/work_span.hpp>
#include <tine/sched/event_source.hpp>
#include <tine/tine.hpp>

#include <sched.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using tine::par;
using tine::work_span;
using tine::base::ticks;

thread_local ticks thread_time = 0;
thread_local bool is_next_reading_slow = false;
[[gnu::noinline]] ticks virtual_now() noexcept {
  if (std::exchange(is_next_reading_slow, false)) std::this_thread::sleep_for(std::chrono::milliseconds{10});
  return thread_time;
}

struct virtual_clock {
  static ticks now() noexcept { return virtual_now(); }
  static ticks rested() noexcept { return virtual_now(); }
};

/// A work_span by the virtual clock. Short loops are not counted, because they are timed by the real one.
struct virtual_span : work_span {
  static constexpr bool only_counts_short_loops = false;
  struct open_fork : work_span::open_fork {
    using vertex = virtual_span;
  };
  void start(ticks) noexcept { work_span::start(virtual_now()); }
  void stop(ticks) noexcept { work_span::stop(virtual_now()); }
  void chunk(std::uint64_t n, ticks) noexcept { work_span::chunk(n, virtual_now()); }
};
static_assert(tine::detail::continues_in_branches<virtual_span>);

using sampled = tine::detail::sampled_fork<virtual_span, virtual_clock>;

/// The work and span of a part of a program, which adds them up itself.
struct cost {
  ticks work = 0, span = 0;
  cost then(cost next) const { return {work + next.work, span + next.span}; }
  cost beside(cost other) const { return {work + other.work, std::max(span, other.span)}; }
};

std::atomic<ticks> spent{0};

[[gnu::noinline]] cost spend(ticks n) {
  thread_time += n;
  spent += n;
  // so that requests and beats come in the middle of the program
  for (ticks i = 0; i != std::min<ticks>(n, 2'000); ++i) asm volatile("");
  return {n, n};
}

template <class F, class G>
cost both(F f, G g) {
  return par(f, g, [](cost a, cost b) { return a.beside(b); });
}

struct answer {
  cost exact;
  virtual_span seen;
};

/// Runs `program` with the sampled analysis; branches are skipped up to that length.
template <class F>
answer analyse(tine::pool& in, F program, ticks longest) {
  sampled::hooks.longest = longest;
  answer a;
  in.run([&] {
    tine::detail::opened<virtual_span> first{a.seen};
    const tine::detail::region whole{sampled::kind, first.head};
    a.exact = program();
  });
  return a;
}

void check(const answer& a) {
  CHECK(a.seen.work == a.exact.work);
  CHECK(a.seen.span_low() <= a.exact.span);
  CHECK(a.exact.span <= a.seen.span_high());
}

cost fib(int n) {
  if (n < 2) return spend(10);
  const cost before = spend(3);
  return before.then(both([n] { return fib(n - 1); }, [n] { return fib(n - 2); })).then(spend(2));
}

cost chain(int n, ticks each) {
  if (n == 0) return spend(each);
  return both([each] { return spend(each); }, [=] { return chain(n - 1, each); });
}

cost long_first(int n, ticks each) {
  if (n == 0) return spend(each);
  return both([=] { return long_first(n - 1, each); }, [each] { return spend(each); });
}

cost balanced(int levels, ticks leaf) {
  if (levels == 0) return spend(leaf);
  return both([=] { return balanced(levels - 1, leaf); }, [=] { return balanced(levels - 1, leaf); });
}

cost all_beside(const std::vector<cost>& parts) {
  cost all;
  for (const cost& c : parts) all = all.beside(c);
  return all;
}

template <class F>
cost loop(int n, F iteration) {
  std::vector<cost> each(static_cast<std::size_t>(n));
  tine::par_for(0, n, [&](int i) { each[static_cast<std::size_t>(i)] = iteration(i); });
  return all_beside(each);
}

tine::task<cost> fib_of_tasks(int n) {
  if (n < 2) co_return spend(10);
  cost a;
  co_await tine::fork<fib_of_tasks>(&a, n - 1);
  const cost b = co_await tine::call<fib_of_tasks>(n - 2);
  co_await tine::join;
  co_return a.beside(b);
}

/// A fork whose second branch is stolen.
cost stolen_pair() {
  std::atomic<bool> is_stolen{false};
  return both(
      [&] {
        while (!is_stolen) sched_yield();
        return spend(100);
      },
      [&] {
        is_stolen = true;
        return spend(200);
      });
}

tine::task<cost> waits_for_thief(std::atomic<bool>* is_stolen) {
  while (!*is_stolen) sched_yield();
  co_return spend(100);
}

tine::task<cost> stolen_after_fork(std::atomic<bool>* is_stolen) {
  cost a;
  co_await tine::fork<waits_for_thief>(&a, is_stolen);
  *is_stolen = true;
  const cost b = spend(200);
  co_await tine::join;
  co_return a.beside(b);
}

cost run_group(int tasks) {
  std::vector<cost> each(static_cast<std::size_t>(tasks));
  tine::task_group group;
  for (cost& c : each) group.run([&c] { c = fib(8); });
  group.wait();
  return all_beside(each);
}

/// Calls `f` in a second branch, after a short first one.
template <class F>
cost skipped(F f) {
  return both([] { return spend(1); }, f);
}

/// A random program of forks and loops, a function of its seed alone.
cost random_program(std::uint64_t seed, int depth) {
  std::mt19937_64 random{seed};
  cost all = spend(random() % 200);
  for (auto steps = random() % 3; steps != 0; --steps) {
    const std::uint64_t a = random(), b = random();
    if (depth == 0 || a % 8 == 0) {
      all = all.then(spend(b % 2'000));
    } else if (a % 8 < 6) {
      all = all.then(both([=] { return random_program(a, depth - 1); }, [=] { return random_program(b, depth - 1); }));
    } else {
      all = all.then(loop(2 + static_cast<int>(b % 9), [=](int i) {
        return random_program(a + static_cast<std::uint64_t>(i), depth - 2 < 0 ? 0 : depth - 2);
      }));
    }
  }
  return all;
}

/// Programs whose exact answers are known.
const std::vector<std::pair<std::string, cost (*)()>>& programs() {
  static const std::vector<std::pair<std::string, cost (*)()>> all{
      {"serial", [] { return spend(100'000); }},
      {"fib", [] { return fib(16); }},
      {"fib of coarse leaves", [] { return balanced(5, 4'000); }},
      {"balanced, tiny", [] { return balanced(10, 5); }},
      {"balanced, at the limit", [] { return balanced(7, 999); }},
      {"chain, tiny", [] { return chain(500, 3); }},
      {"chain, coarse", [] { return chain(100, 700); }},
      {"first branches, tiny", [] { return long_first(500, 3); }},
      {"first branches, coarse", [] { return long_first(100, 700); }},
      {"a short branch beside all", [] { return both([] { return spend(1); }, [] { return fib(15); }); }},
      {"a long branch beside all", [] { return both([] { return spend(50'000); }, [] { return fib(15); }); }},
      {"series of fibs", [] { return fib(10).then(fib(11)).then(spend(5'000)).then(fib(12)); }},
      {"loop", [] { return loop(2'000, [](int) { return spend(7); }); }},
      {"loop, one long", [] { return loop(300, [](int i) { return spend(i == 7 ? 20'000 : 11); }); }},
      {"loop of fibs", [] { return loop(30, [](int i) { return fib(i % 12); }); }},
      {"loop of loops", [] { return loop(30, [](int) { return loop(40, [](int) { return spend(9); }); }); }},
      {"loop in a short branch", [] { return skipped([] { return loop(500, [](int) { return spend(90); }); }); }},
      {"loop of forks in a short branch",
       [] { return skipped([] { return loop(50, [](int i) { return fib(i % 9); }); }); }},
      {"coroutine in a short branch", [] { return skipped([] { return tine::run(fib_of_tasks, 13); }); }},
      {"coroutines in short branches",
       [] { return loop(20, [](int i) { return skipped([i] { return tine::run(fib_of_tasks, i / 2); }); }); }},
      {"task group in a short branch", [] { return skipped([] { return run_group(20); }); }},
      {"loop in a fork of forks",
       [] { return both([] { return fib(8); }, [] { return loop(20, [](int) { return balanced(4, 50); }); }); }},
      {"random 1", [] { return random_program(1, 9); }},
      {"random 2", [] { return random_program(20, 11); }},
  };
  return all;
}

/// A chain in which each fork takes its slow path, at a place of its own for each number.
template <int Place>
cost walk(tine::pool& in, int n) {
  if (n == 0) return spend(700);
  tine::sched::request_looks(in);
  return both([] { return spend(700); }, [&in, n] { return walk<Place>(in, n - 1); });
}

struct oops {};

/// Throws at every branch whose number has no remainder, in the first or in the second branch of a fork.
cost throwing(int n, int modulus) {
  spend(20);
  if (n % modulus == 0) throw oops{};
  if (n > 200) return spend(300);
  try {
    return both([=] { return throwing(2 * n, modulus); }, [=] { return throwing(2 * n + 1, modulus); });
  } catch (const oops&) {
    return spend(7);
  }
}

constexpr tine::promotion policies[] = {tine::promotion::on_demand(), tine::promotion::heartbeat(20),
                                        tine::promotion::eager()};

/// Calls `f` with pools of all policies.
template <class F>
void on_pools(F f) {
  for (const tine::promotion policy : policies) {
    for (const unsigned workers : {1u, 4u}) {
      CAPTURE(static_cast<int>(policy.which()));
      CAPTURE(workers);
      tine::pool pool{{.workers = workers, .promote = policy}};
      f(pool);
    }
  }
}

}  // namespace

TEST_CASE("the intervals of the sampled analysis contain the exact answer") {
  on_pools([](tine::pool& pool) {
    for (const auto& [name, program] : programs()) {
      CAPTURE(name);
      for (const ticks longest : {ticks{1}, ticks{50}, ticks{1'000}, ticks{20'000}, ticks{1} << 40}) {
        CAPTURE(longest);
        check(analyse(pool, program, longest));
      }
    }
  });
}

TEST_CASE("the intervals of random programs contain the exact answer") {
  const std::uint64_t first = std::random_device{}();
  on_pools([&](tine::pool& pool) {
    for (std::uint64_t seed = first; seed != first + 30; ++seed) {
      CAPTURE(seed);
      check(analyse(pool, [=] { return random_program(seed, 8); }, ticks{1} << seed % 14));
    }
  });
}

TEST_CASE("without skipped branches the sampled analysis is exact") {
  tine::pool pool{{.workers = 2}};
  const answer a = analyse(pool, [] { return fib(12); }, 0);
  CHECK(a.seen.work == a.exact.work);
  CHECK(a.seen.span_low() == a.exact.span);
  CHECK(a.seen.span_high() == a.exact.span);
  CHECK(a.seen.forks == 232);
}

TEST_CASE("the sampled analysis observes few forks, and its interval is as wide as a skipped branch") {
  tine::pool pool{{.workers = 1}};
  const answer a = analyse(pool, [] { return fib(22); }, 2'000);
  CHECK(a.seen.forks < 28'656 / 8);
  CHECK(a.seen.span_high() < a.exact.span + 2'000 * 4);
  CHECK(a.seen.span_low() > a.exact.span / 2);
}

TEST_CASE("a long branch after a short one is found, and observed from then on") {
  for (const tine::promotion policy : {tine::promotion::on_demand(), tine::promotion::eager()}) {
    tine::pool pool{{.workers = 1, .promote = policy}};
    const bool is_eager = policy.which() == tine::promotion::kind::eager;
    const answer a = analyse(pool, [&] { return is_eager ? walk<0>(pool, 300) : walk<1>(pool, 300); }, 1'000);
    CHECK(a.exact.work == 301 * 700);
    CHECK(a.seen.span_high() < 20'000);
    check(a);
  }
}

TEST_CASE("a long loop in a skipped branch is divided, and observed from then on") {
  tine::pool pool{{.workers = 1}};
  const auto iteration = [&](int) {
    tine::sched::request_looks(pool);
    return spend(1'000);
  };
  const answer a = analyse(pool, [&] { return skipped([&] { return loop(1'000, iteration); }); }, 2'000);
  check(a);
  CHECK(a.exact.work == 1'000'001);
  CHECK(a.seen.span_high() < a.exact.work / 4);
}

TEST_CASE("an analysis of the program in a skipped branch sees the program") {
  tine::pool pool{{.workers = 2, .promote = tine::promotion::eager()}};
  const auto analysed = [](cost (*f)()) {
    virtual_span inner;
    cost c;
    {
      tine::detail::opened<virtual_span> first{inner};
      const tine::detail::region whole{tine::detail::vertex_behind_table<virtual_span>::table, first.head};
      c = f();
    }
    CHECK(inner.work == c.work);
    CHECK(inner.span_low() == c.span);
    CHECK(inner.span_high() == c.span);
    return c;
  };
  for (cost (*f)() : {+[] { return stolen_pair(); }, +[] { return fib(12); }})
    check(analyse(pool, [&] { return skipped([&] { return analysed(f); }); }, 1'000));
}

TEST_CASE("the time of a group's task in a skipped branch counts on each worker") {
  // so that no thief takes the branch itself
  tine::pool pool{{.workers = 2, .promote = tine::promotion::heartbeat(1'000'000)}};
  const tine::stop_flag flag;
  for (const bool has_flag : {false, true}) {
    CAPTURE(has_flag);
    const auto task_of_thief = [&] {
      std::optional<tine::task_group> plain, flagged;
      tine::task_group& group = has_flag ? flagged.emplace(flag) : plain.emplace();
      std::atomic<bool> is_taken{false};
      group.run([&] {
        is_taken = true;
        spend(100);
        is_next_reading_slow = true;  // so that a task that ends too early lets the strand continue first
      });
      for (int i = 0; !is_taken && i != 100'000; ++i) sched_yield();
      group.wait();
      return cost{100, 100};
    };
    for (int round = 0; round != 10; ++round) {
      const answer a = analyse(pool, [&] { return skipped(task_of_thief); }, 1'000);
      check(a);
      CHECK(a.seen.work == 101);
    }
  }
}

TEST_CASE("a thief finds the skipped branch through the scopes in it") {
  tine::pool pool{{.workers = 2, .promote = tine::promotion::eager()}};
  const answer a = analyse(pool, [] { return skipped([] { return tine::isolate(stolen_pair); }); }, 1'000);
  check(a);
  CHECK(a.seen.work == 301);
}

TEST_CASE("the time of a coroutine in a skipped branch counts on each worker") {
  tine::pool pool{{.workers = 2, .promote = tine::promotion::eager()}};
  std::atomic<bool> is_stolen{false};
  const answer a =
      analyse(pool, [&] { return skipped([&] { return tine::run(stolen_after_fork, &is_stolen); }); }, 1'000);
  check(a);
  CHECK(a.seen.work == 301);
}

TEST_CASE("only the first one of many short roots gets beats") {
  sampled::hooks.longest = 1'000;
  const tine::detail::storage_head root{nullptr, 0x1234}, other{nullptr, 0x99999};
  const auto may_be_long = [](const tine::detail::storage_head& in) {
    tine::detail::vertex_node n{};
    n.in = &in;
    return sampled::hooks.may_be_long(n);
  };
  CHECK(may_be_long(root));
  sampled::end_root(root.where, 999);
  CHECK_FALSE(may_be_long(root));
  CHECK(may_be_long(other));
  sampled::end_root(root.where, 1'000);
  CHECK(may_be_long(root));
}

TEST_CASE("exceptions leave skipped branches") {
  on_pools([](tine::pool& pool) {
    for (const int modulus : {3, 7, 31}) {
      for (const ticks longest : {ticks{0}, ticks{100}, ticks{1'000}}) {
        spent = 0;
        const answer a = analyse(pool, [=] { return throwing(1, modulus); }, longest);
        CHECK(a.seen.work == spent);
        CHECK(a.seen.span_low() <= a.seen.span_high());
      }
    }
  });
}
