// record and replay of schedules made by hand: the counts, void entries, and the worker that runs each branch. Random
// programs are in tests/stress/replay.cpp.
#include "named_pool.hpp"

#include <tine/augment.hpp>
#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

using tine::replay_mode;
using tine::schedule;
using tine::test::two_workers;

constexpr replay_mode modes[] = {replay_mode::strict_ordered, replay_mode::strict_unordered, replay_mode::relaxed};

/// Returns a schedule of one fork: worker 1 runs the second branch, and worker `joined` continues after the join.
schedule one_fork(int joined) {
  schedule::step fork;
  fork.pieces = 1;
  fork.after = {joined, 2, 0, 0};
  return schedule{2, {0, 0, 0, 0}, {{0, 1}}, {fork}, {{1, {1, 1, 0, 0}, schedule::nothing}}};
}

/// Returns a schedule of one loop of 100 iterations: worker 1 runs the iterations from 60 on.
schedule one_loop() {
  schedule::step loop;
  loop.what = schedule::kind::loop;
  loop.count = 100;
  loop.pieces = 1;
  loop.after = {0, 2, 0, 0};
  return schedule{2, {0, 0, 0, 0}, {{0, 1}}, {loop}, {{60, {1, 1, 0, 0}, schedule::nothing}}};
}

/// Returns a schedule of one run: plain code waits for a task, and worker `taken_by` continues the plain code after the
/// task's end.
schedule one_run(int taken_by) {
  schedule::step run;
  run.what = schedule::kind::run;
  run.count = 0;
  run.after = {taken_by, 1, 0, 0};
  return schedule{2, {0, 0, 0, 0}, {{0, 1}}, {run}, {}};
}

}  // namespace

TEST_CASE("a task that the program moves in a first branch leaves a schedule that can be followed") {
  struct elsewhere {
    bool await_ready() const noexcept { return false; }
    void await_suspend(tine::resumption r) const noexcept { r.resume(); }
    void await_resume() const noexcept {}
  };
  struct tasks {
    static tine::task<int> leaf(int n) { co_return n; }
    static tine::task<int> moves() {
      int a = 0;
      co_await tine::fork(&a, leaf, 1);
      co_await elsewhere{};
      const int b = co_await tine::call(leaf, 2);
      co_await tine::join;
      co_return a + b;
    }
  };
  for (const unsigned workers : {1U, 2U}) {
    tine::pool p{{.workers = workers, .promote = tine::promotion::eager()}};
    for (const replay_mode mode : modes) {
      int sum = 0;
      const auto body = [&] {
        sum += tine::par([] { return tine::run(tasks::moves); }, [] { return 3; }, [](int a, int b) { return a + b; });
      };
      p.run([&] {
        const schedule s = tine::record(body);
        static_cast<void>(tine::replay(s, mode, body));
      });
      CHECK(sum == 12);
    }
  }
}

TEST_CASE("a branch and the continuation run on the workers that the schedule names") {
  for (const int joined : {0, 1}) {
    two_workers w;
    bool first_on_0 = false, second_on_1 = false, after_on_0 = false;
    const tine::replayed r = w.run([&] {
      return tine::replay(one_fork(joined), replay_mode::strict_ordered, [&] {
        tine::par([&] { first_on_0 = w.is_first(); }, [&] { second_on_1 = !w.is_first(); });
        after_on_0 = w.is_first();
      });
    });
    CHECK(first_on_0);
    CHECK(second_on_1);
    CHECK(after_on_0 == (joined == 0));
    CHECK(r.matched == 2);
    CHECK(r.skipped == 0);
    CHECK(r.diverged == 0);
    CHECK(r.performed.steals() == 1);
  }
}

TEST_CASE("a loop is cut where the schedule says; one of another length in proportion") {
  for (const int n : {100, 50, 1000}) {
    two_workers w;
    std::vector<char> on_0(static_cast<std::size_t>(n));
    w.run([&] {
      tine::replay(one_loop(), replay_mode::strict_ordered,
                   [&] { tine::par_for(0, n, [&](int i) { on_0[static_cast<std::size_t>(i)] = w.is_first(); }); });
    });
    for (int i = 0; i < n; ++i) CHECK((on_0[static_cast<std::size_t>(i)] != 0) == (i < n * 6 / 10));
  }
}

TEST_CASE("the continuation of a task runs where the schedule says, although no strand had to wait for the task") {
  for (const replay_mode how : {replay_mode::strict_ordered, replay_mode::strict_unordered}) {
    for (const int taken_by : {0, 1}) {
      two_workers w;
      bool task_on_0 = false, after_on_0 = false;
      const tine::replayed r = w.run([&] {
        return tine::replay(one_run(taken_by), how, [&] {
          const auto where = [](two_workers& all) -> tine::task<bool> { co_return all.is_first(); };
          task_on_0 = tine::run(where, w);
          after_on_0 = w.is_first();
        });
      });
      CHECK(task_on_0);
      CHECK(after_on_0 == (taken_by == 0));
      CHECK(r.performed.steps().size() == 1);
      CHECK(r.diverged == 0);
    }
  }
}

TEST_CASE("the continuation of a task runs there by the region around, too, and by an exception") {
  two_workers w;
  bool after_on_0 = true;
  w.run([&] {
    tine::replay(one_run(1), replay_mode::strict_ordered, [&] {
      tine::record([&] {
        const auto fails = []() -> tine::task<> {
          throw std::runtime_error{"task"};
          co_return;
        };
        CHECK_THROWS_WITH_AS(tine::run(fails), "task", std::runtime_error);
        after_on_0 = w.is_first();
      });
    });
  });
  CHECK(!after_on_0);
}

TEST_CASE("strands that never come are void, and a step of another kind diverges") {
  two_workers w;
  for (const replay_mode how : modes) {
    const auto nothing = w.run([&] { return tine::replay(one_fork(0), how, [] {}); });
    CHECK(nothing.matched == 0);
    CHECK(nothing.skipped == 2);
    CHECK(nothing.diverged == 0);
    int sum = 0;
    const auto other = w.run([&] {
      return tine::replay(one_loop(), how, [&] { sum = tine::par([] { return 1; }, [] { return 2; }, std::plus<>{}); });
    });
    CHECK(sum == 3);
    CHECK(other.skipped == 2);
    CHECK(other.diverged == 1);
  }
}

TEST_CASE("nothing leaves tine::sequential") {
  two_workers w;
  for (const replay_mode how : modes) {
    bool here = false;
    const auto r = w.run([&] {
      return tine::replay(one_fork(0), how,
                          [&] { tine::sequential([&] { tine::par([] {}, [&] { here = w.is_first(); }); }); });
    });
    CHECK(here);
    CHECK(r.matched == 0);
    CHECK(r.skipped == 2);
    w.run([&] {
      tine::replay(one_run(1), how, [&] {
        tine::sequential([&] { tine::run([]() -> tine::task<> { co_return; }); });
        here = w.is_first();
      });
    });
    CHECK(here);
  }
}

TEST_CASE("an exception leaves a region after all placed work has ended") {
  two_workers w;
  for (const replay_mode how : modes) {
    for (const bool in_first : {true, false}) {
      std::atomic<int> begun{0}, ended{0};
      const auto play = [&] {
        tine::replay(one_fork(0), how, [&] {
          tine::par(
              [&] {
                if (in_first) throw std::runtime_error{"first"};
              },
              [&] {
                ++begun;
                std::this_thread::sleep_for(std::chrono::milliseconds{1});
                ++ended;
                if (!in_first) throw std::runtime_error{"second"};
              });
        });
      };
      CHECK_THROWS_WITH_AS(w.run(play), in_first ? "first" : "second", std::runtime_error);
      CHECK(begun == ended);
      // an exception of the first branch stops a second branch that has not begun
      if (how != replay_mode::relaxed && !in_first) CHECK(ended == 1);
    }
  }
}

TEST_CASE("outside every pool the default pool is used; results are dropped, tasks are run") {
  int ran = 0;
  const schedule s = tine::record([&]() -> tine::task<int> {
    ++ran;
    co_return 1;
  });
  CHECK(s.steals() == 0);
  CHECK(tine::replay(s, replay_mode::relaxed, [&] { return ++ran; }).skipped == 0);
  CHECK(ran == 2);
}

TEST_CASE("an analysis inside a region, and one around it, see all of its forks") {
  two_workers w;
  const auto count = [&](auto inside) {
    return w.run([&] { return tine::augment<tine::work_span>([&] { inside(); }).forks; });
  };
  const auto forks = [] { tine::par([] {}, [] { tine::par([] {}, [] {}); }); };
  std::uint64_t seen_inside = 0;
  const auto seen_outside = count([&] {
    tine::replay(one_fork(1), replay_mode::strict_ordered,
                 [&] { seen_inside = tine::augment<tine::work_span>(forks).forks; });
  });
  CHECK(seen_inside == 2);
  CHECK(seen_outside == 2);
}

TEST_CASE("regions of several roots at once do not affect each other") {
  tine::pool pool{{.workers = 2}};
  const auto many = [&] {
    for (int i = 0; i < 25; ++i) {
      long sum = 0;
      pool.run([&] {
        tine::replay(one_loop(), replay_mode::strict_ordered,
                     [&] { sum = tine::par_reduce(0, 100, 0L, [](int k) { return long{k}; }, std::plus<>{}); });
      });
      if (sum != 4950) return false;
    }
    return true;
  };
  bool first = false;
  std::thread other{[&] { first = many(); }};
  const bool second = many();
  other.join();
  CHECK(first);
  CHECK(second);
}
