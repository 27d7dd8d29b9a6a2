// Placement hints: the worker that runs each branch, the worker that continues after it, and refused arguments.
#include "named_pool.hpp"

#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using tine::placed_subrange;
using tine::replay_mode;
using tine::schedule;
using tine::test::named_pool;

constexpr replay_mode strict[] = {replay_mode::strict_ordered, replay_mode::strict_unordered};

/// Returns the begins and workers of the pieces of a region's only step.
std::vector<placed_subrange> pieces_of(const schedule& s) {
  std::vector<placed_subrange> partition;
  for (const schedule::piece& p : s.pieces()) partition.push_back({p.begin, p.run.owner});
  return partition;
}

constexpr auto nothing_to_do = [] {};

}  // namespace

TEST_CASE("block and cyclic partition a loop") {
  CHECK(tine::block(10, 4) == std::vector<placed_subrange>{{0, 0}, {2, 1}, {5, 2}, {7, 3}});
  CHECK(tine::block(2, 4) == std::vector<placed_subrange>{{0, 1}, {1, 3}});
  CHECK(tine::block(0, 4).empty());
  CHECK(tine::cyclic(7, 2, 2) == std::vector<placed_subrange>{{0, 0}, {2, 1}, {4, 0}, {6, 1}});
  CHECK(tine::cyclic(2, 1, 3) == std::vector<placed_subrange>{{0, 0}, {1, 1}});
  CHECK_THROWS_AS(tine::cyclic(2, 0, 3), std::invalid_argument);
  constexpr auto most = ~std::uint64_t{0};
  CHECK(tine::cyclic(most, most - 1, 2) == std::vector<placed_subrange>{{0, 0}, {most - 1, 1}});
}

TEST_CASE("a branch runs on its worker, and the continuation runs where the fork was") {
  named_pool w{2};
  for (const int worker : {0, 1, 2, 3}) {
    bool on_first = false, after_on_first = false;
    const auto program = [&] {
      const int sum = tine::par_on(worker, [] { return 1; }, [&] { return on_first = w.is_first(), 2; }, std::plus<>{});
      after_on_first = w.is_first();
      CHECK(sum == 3);
    };
    const schedule recorded = w.run([&] { return tine::record(program); });
    CHECK(on_first == (worker % 2 == 0));
    CHECK(after_on_first);
    CHECK(pieces_of(recorded) == std::vector<placed_subrange>{{1, worker % 2}});
    for (const replay_mode how : strict) {
      on_first = after_on_first = worker % 2 != 0;
      const auto r = w.run([&] { return tine::replay({}, how, program); });
      CHECK(on_first == (worker % 2 == 0));
      CHECK(after_on_first);
      CHECK(r.matched == 0);
      CHECK(r.skipped == 0);
      CHECK(r.diverged == 0);
      CHECK(pieces_of(r.performed) == pieces_of(recorded));
    }
  }
}

TEST_CASE("a fork's entry in the schedule precedes the program's placement hint") {
  named_pool w{3};
  const auto fork_for = [](int worker) { return [worker] { tine::par_on(worker, nothing_to_do, nothing_to_do); }; };
  const schedule for_2 = w.run([&] { return tine::record(fork_for(2)); });
  for (const replay_mode how : strict) {
    const auto r = w.run([&] { return tine::replay(for_2, how, fork_for(1)); });
    CHECK(pieces_of(r.performed) == std::vector<placed_subrange>{{1, 2}});
    CHECK(r.matched == 2);
  }
}

TEST_CASE("a loop is run in the program's pieces, by their workers") {
  named_pool w{4};
  const std::vector<std::vector<placed_subrange>> ways{tine::block(100, 4),
                                                       tine::block(100, 8),
                                                       tine::cyclic(100, 7, 3),
                                                       {{40, 1}},
                                                       {{0, 2}, {50, tine::any_worker}, {60, 3}}};
  for (const auto& partition : ways) {
    for (const replay_mode how : strict) {
      std::vector<std::atomic<int>> times(100);
      const auto r = w.run([&] {
        return tine::replay({}, how, [&] {
          tine::par_for_on(partition, 0, 100, [&](int i) { ++times[static_cast<std::size_t>(i)]; });
        });
      });
      CHECK(std::ranges::all_of(times, [](const auto& t) { return t == 1; }));
      std::vector<placed_subrange> expected;
      int worker = 0;
      for (const placed_subrange& c : partition) {
        if (c.worker != tine::any_worker) worker = c.worker % 4;
        // a first piece of worker 0 stays where the loop begins
        if (c.begin != 0 || worker != 0) expected.push_back({c.begin, worker});
      }
      CHECK(pieces_of(r.performed) == expected);
      CHECK(r.performed.root().owner == 0);
      CHECK(r.performed.steps()[0].after.owner == 0);
      const auto again = w.run([&] {
        return tine::replay(r.performed, replay_mode::strict_ordered, [&] { tine::par_for(0, 100, [](int) {}); });
      });
      CHECK(pieces_of(again.performed) == expected);
    }
  }
}

TEST_CASE("loops of one iteration and of none, over iterators and ranges, with results") {
  named_pool w{2};
  w.run([&] {
    tine::replay({}, replay_mode::strict_unordered, [&] {
      bool on_first = true;
      const placed_subrange to_1[] = {{0, 1}};
      tine::par_for_on(to_1, 5, 6, [&](int i) { on_first = i != 5 || w.is_first(); });
      CHECK(!on_first);
      CHECK(w.is_first());
      tine::par_for_on({}, 6, 5, [](int) { FAIL("an empty loop runs nothing"); });
      std::vector<int> v(10, 1);
      tine::par_for_on(tine::block(10, 2), v, [](int& x) { ++x; });
      tine::par_for_on(tine::block(10, 2), v.begin(), v.end(), [](int& x) { ++x; });
      CHECK(tine::par_reduce_on(tine::cyclic(10, 1, 2), v, 0, [](int x) { return x; }, std::plus<>{}) == 30);
      const std::string letters = "abcdefghij";
      CHECK(tine::par_reduce_on(
                tine::cyclic(10, 3, 2), std::size_t{0}, std::size_t{10}, std::string{},
                [&](std::size_t i) { return std::string(1, letters[i]); }, std::plus<>{}) == letters);
    });
  });
}

TEST_CASE("partitions that do not fit are refused before anything runs, in a region or not") {
  const auto loop = [](std::vector<placed_subrange> partition) {
    tine::par_for_on(partition, 0, 10, [](int) { FAIL("refused loops run nothing"); });
  };
  for (const bool in_region : {false, true}) {
    const auto attempt = [&](std::vector<placed_subrange> partition) {
      in_region ? static_cast<void>(tine::record([&] { loop(partition); })) : loop(partition);
    };
    CHECK_THROWS_WITH_AS(attempt({{0, 0}, {10, 1}}),
                         "tine: subrange 1 of a loop begins at 10, and the loop has 10 iterations; subranges are given "
                         "in growing order, and "
                         "each begins inside the loop",
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS(attempt({{5, 0}, {5, 1}}),
                         "tine: subrange 1 of a loop begins at 5, not after the one before it; subranges are given in "
                         "growing order, and each "
                         "begins inside the loop",
                         std::invalid_argument);
  }
}

TEST_CASE("a negative worker is refused, in a region or not") {
  const auto check = [](const char* text, auto f) { CHECK_THROWS_WITH_AS(f(), text, std::invalid_argument); };
  const char* const fork = "tine: the worker of a fork is -5; give a worker's number, from 0 on, or tine::any_worker";
  check(fork, [] { tine::par_on(-5, [] {}, [] {}); });
  check(fork, [] { tine::replay({}, replay_mode::strict_unordered, [] { tine::par_on(-5, [] {}, [] {}); }); });
  check("tine: the worker of a subrange is -2; give a worker's number, from 0 on, or tine::any_worker",
        [] { tine::par_for_on(std::vector<placed_subrange>{{0, -2}}, 0, 10, [](int) {}); });
  tine::par_on(tine::any_worker, [] {}, [] {});
}

TEST_CASE("a worker below a kept fork is refused: no schedule could say so") {
  named_pool w{2};
  const auto give = [] { tine::par_on(1, nothing_to_do, nothing_to_do); };
  const auto cut_loop = [] { tine::par_for_on(tine::block(10, 2), 0, 10, [](int) {}); };
  const auto task = [](bool gives) -> tine::task<void> {
    if (gives) co_await tine::fork_on(1, [](int) -> tine::task<void> { co_return; }, 0);
    co_await tine::join;
  };
  const auto give_in_task = [&]() -> tine::task<void> { return task(true); };
  const auto refused = [&](auto program) {
    CHECK_THROWS_AS(w.run([&] { tine::record(program); }), std::logic_error);
    for (const replay_mode how : strict)
      CHECK_THROWS_AS(w.run([&] { tine::replay({}, how, program); }), std::logic_error);
  };
  refused([&] { tine::par(give, nothing_to_do); });
  refused([&] { tine::par(cut_loop, nothing_to_do); });
  refused([&] { tine::par([&] { tine::par(nothing_to_do, give); }, nothing_to_do); });
  refused([&] { tine::par([&] { tine::par_for(0, 10, [&](int) { give(); }); }, nothing_to_do); });
  refused([&] { tine::par([&] { tine::record(give); }, nothing_to_do); });
  refused([&] { tine::par([&] { tine::run(give_in_task); }, nothing_to_do); });
  w.run([&] {
    tine::replay({}, replay_mode::strict_unordered, [&] {
      give();
      cut_loop();
      tine::par(nothing_to_do, give);
      tine::par_on(0, give, give);
      tine::par_on(1, [&] { tine::par_on(0, give, cut_loop); }, cut_loop);
      tine::par_on(1, [&] { tine::record(give); }, nothing_to_do);
      tine::par_for(0, 10, [&](int) { give(); });
    });
  });
}

TEST_CASE("the continuation of a task's fork runs on its worker") {
  named_pool w{3};
  std::vector<int> owners;
  const auto child = [](int x) -> tine::task<int> { co_return x; };
  const auto program = [&]() -> tine::task<void> {
    int a = 0, b = 0, c = 0;
    co_await tine::fork_on(1, &a, child, 1);
    const bool left = !w.is_first();
    co_await tine::fork_on(2, &b, child, 2);
    co_await tine::fork(&c, child, 3);
    co_await tine::join;
    CHECK(left);
    CHECK(a + b + c == 6);
    CHECK(w.is_first());
  };
  for (const replay_mode how : strict) {
    const auto r = w.run([&] { return tine::replay({}, how, program); });
    CHECK(r.performed.steals() == 2);
    CHECK(r.performed.pieces()[0].run.owner == 1);
    CHECK(r.performed.pieces()[1].run.owner == 2);
    const auto again = w.run([&] { return tine::replay(r.performed, replay_mode::strict_ordered, program); });
    CHECK(again.skipped == 0);
    CHECK(pieces_of(again.performed) == pieces_of(r.performed));
  }
}

TEST_CASE("a loop continues after a task of an iteration has placed a branch") {
  named_pool w{1};
  const auto child = [](int x) -> tine::task<int> { co_return x; };
  const auto task = [&](int& sum) -> tine::task<void> {
    int one = 0;
    co_await tine::fork_on(0, &one, child, 1);
    co_await tine::join;
    sum += one;
  };
  const auto program = [&] {
    int sum = 0;
    tine::par_for(0, 4, [&](int) { tine::run([&] { return task(sum); }); });
    // no worker has taken a piece of the loop, and nothing is left of it
    sum += tine::par([] { return 10; }, [] { return 20; }, std::plus<>{});
    CHECK(sum == 34);
  };
  const schedule recorded = w.run([&] { return tine::record(program); });
  w.run([&] { tine::replay(recorded, replay_mode::relaxed, program); });
}

TEST_CASE("outside regions, and inside tine::sequential, hints mean nothing") {
  named_pool w{2};
  const auto stays = [&] {
    bool stayed = true;
    tine::sequential([&] {
      tine::par_on(1, [] {}, [&] { stayed &= w.is_first(); });
      tine::par_for_on(tine::block(10, 2), 0, 10, [&](int) { stayed &= w.is_first(); });
      tine::par_on(1, [] { tine::par_on(1, nothing_to_do, nothing_to_do); }, nothing_to_do);
    });
    return stayed;
  };
  w.run([&] {
    CHECK(stays());
    tine::replay({}, replay_mode::strict_ordered, [&] { CHECK(stays()); });
    tine::par([] { tine::par_on(1, nothing_to_do, nothing_to_do); }, nothing_to_do);
  });
  CHECK(tine::par_on(1, [] { return 1; }, [] { return 2; }) == std::pair{1, 2});
}

TEST_CASE("coarse kernels do where a strict schedule gives nothing away") {
  named_pool w{2};
  CHECK(!tine::no_split_below());
  const auto leaf = [] { return tine::no_split_below(); };
  std::vector<bool> seen;
  const auto program = [&] {
    const bool above = tine::no_split_below();
    const auto [left, right] = tine::par_on(1, [&] { return leaf(); }, [&] { return leaf(); });
    seen = {above, left, right, tine::no_split_below()};
  };
  const schedule s = w.run([&] { return tine::record(program); });
  CHECK(seen == std::vector{false, false, false, false});
  for (const replay_mode how : strict) {
    w.run([&] { tine::replay(s, how, program); });
    CHECK(seen == std::vector{false, true, true, true});
  }
  w.run([&] { tine::replay(s, replay_mode::relaxed, program); });
  CHECK(seen == std::vector{false, false, false, false});
  w.run([&] { tine::replay(s, replay_mode::strict_ordered, [&] { tine::record(program); }); });
  CHECK(seen == std::vector{false, true, true, true});
}

TEST_CASE("a loop may have very many pieces") {
  named_pool w{2};
  constexpr int n = 100'000;
  const auto r = w.run([&] {
    return tine::replay({}, replay_mode::strict_unordered, [&] {
      const auto one = [](int) { return 1; };
      CHECK(tine::par_reduce_on(tine::cyclic(n, 1, 2), 0, n, 0, one, std::plus<>{}) == n);
    });
  });
  CHECK(r.performed.pieces().size() == n - 1);
  const auto again = w.run(
      [&] { return tine::replay(r.performed, replay_mode::strict_ordered, [&] { tine::par_for(0, n, [](int) {}); }); });
  CHECK(again.matched == n);
  CHECK(pieces_of(again.performed) == pieces_of(r.performed));
}
