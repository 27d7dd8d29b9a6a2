// Merging: the schedule that a relaxed replay leaves for the next replay.
#include "replay/merged.hpp"
#include "unit/replay/example.hpp"

#include <tine/replay.hpp>
#include <tine/tine.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

namespace {

using namespace tine::test;
using tine::schedule, tine::detail::merged;

constexpr std::size_t any_number = 1'000'000;

/// Returns a schedule of one step on three workers. Worker 0 begins the region.
schedule one_step(schedule::step t, std::vector<schedule::piece> pieces, int after) {
  t.pieces = static_cast<std::uint32_t>(pieces.size());
  std::uint32_t stamp = 1;
  for (schedule::piece& p : pieces) {
    if (p.run.owner != no_worker) p.run = {p.run.owner, stamp++, 0, 10};
  }
  t.after = {after, stamp, 90, 100};
  return schedule{3, {0, 0, 0, 100}, {{0, 1}}, {t}, std::move(pieces)};
}

schedule one_loop(std::vector<schedule::piece> pieces, int after = 0) {
  return one_step({0, loop, 100, 0, 0, {}}, std::move(pieces), after);
}

std::vector<std::pair<std::uint64_t, int>> owners(const schedule& s) {
  std::vector<std::pair<std::uint64_t, int>> all;
  for (const schedule::piece& p : s.pieces()) all.emplace_back(p.begin, p.run.owner);
  return all;
}

using list = std::vector<std::pair<std::uint64_t, int>>;

}  // namespace

TEST_CASE("neighbouring pieces of one worker become one with the sum of their times") {
  const schedule s = merged(one_loop({{10, {1}}, {20, {1}}, {30, {1}}, {40, {2}}, {50, {1}}}), any_number);
  CHECK(owners(s) == list{{10, 1}, {40, 2}, {50, 1}});
  CHECK(s.pieces()[0].run.end_ns - s.pieces()[0].run.begin_ns == 30);
  CHECK(s.steps()[0].after.owner == 0);
}

TEST_CASE("a piece of the worker that came to the loop is left out") {
  CHECK(owners(merged(one_loop({{0, {0}}, {10, {0}}, {20, {1}}, {30, {0}}}), any_number)) == list{{20, 1}, {30, 0}});
}

TEST_CASE("no step remains if nothing moved, unless another worker continued") {
  CHECK(merged(one_loop({{10, {0}}}), any_number).steps().empty());
  CHECK(owners(merged(one_loop({{10, {0}}}, 2), any_number)) == list{{10, 0}});
  const schedule::step fork_of_two{};
  CHECK(merged(one_step(fork_of_two, {{1, {0}}}, 0), any_number).steps().empty());
  CHECK(owners(merged(one_step(fork_of_two, {{1, {1}}}, 0), any_number)) == list{{1, 1}});
}

TEST_CASE("a steal inside stays, with the worker that ran the branch around it") {
  // the piece of worker 1 at 20 holds a fork; worker 2 runs the second branch and continues that piece after the join
  const schedule::step outer{0, loop, 100, 0, 3, {0, 7, 0, 0}};
  const schedule::step inner{0, schedule::kind::fork, 2, 3, 1, {2, 6, 0, 0}};
  const schedule s{3,
                   {0, 0, 0, 100},
                   {{0, 1}, {1, 1}},
                   {outer, inner},
                   {{10, {1, 1, 0, 10}}, {20, {1, 2, 0, 10}, 1}, {30, {2, 3, 0, 10}}, {1, {2, 5, 0, 10}}}};
  const schedule m = merged(s, any_number);
  CHECK(owners(m) == list{{10, 1}, {20, no_worker}, {1, 2}});  // the piece at 30 continues where the one before ended
  CHECK(m.pieces()[1].node == 1);
  CHECK(m.nodes().size() == 2);
  CHECK(merged(m, any_number) == m);
}

TEST_CASE("the continuation of a task stays in the schedule") {
  const schedule::step run{0, schedule::kind::run, 0, 0, 0, {1, 1, 0, 0}};
  const schedule s{2, {0, 0, 0, 0}, {{0, 1}}, {run}, {}};
  CHECK(merged(s, any_number) == s);
}

TEST_CASE("the forks of a coroutine keep the owner of their only join, which the oldest stolen one has") {
  // worker 0 forks twice, comes back to the first continuation itself, and worker 1 takes the second one
  const auto forks = [](schedule::segment inner_after) {
    return schedule{2,
                    {0, 0, 0, 100},
                    {{0, 1}, {1, 1}},
                    {{0, schedule::kind::fork, 2, 0, 1, {1, 3, 0, 0}}, {0, schedule::kind::fork, 2, 1, 1, inner_after}},
                    {{1, {0, 1, 0, 10}, 1}, {1, {1, 2, 0, 10}}}};
  };
  CHECK(merged(forks({}), any_number).steals() == 2);
  CHECK(merged(forks({1, 4, 0, 0}), any_number).steals() == 1);  // two forks of plain code have two joins
}

TEST_CASE("a strand that was merged into another one comes to its forks later, and so do the strands that it forked") {
  // worker 1 runs two pieces at once, as far as the stamps say; a fork in each has its second branch on worker 2
  const auto fork_at = [](std::uint32_t piece, std::uint32_t stamp) {
    return schedule::step{0, schedule::kind::fork, 2, piece, 1, {1, stamp + 1, 0, 0}};
  };
  const schedule s{3,
                   {0, 0, 0, 100},
                   {{0, 1}, {1, 1}, {2, 1}},
                   {{0, loop, 100, 0, 2, {0, 7, 0, 0}}, fork_at(2, 5), fork_at(3, 3)},
                   {{10, {1, 1, 0, 10}, 1}, {20, {1, 2, 0, 10}, 2}, {1, {2, 5, 0, 0}}, {1, {2, 3, 0, 0}}}};
  const schedule m = merged(s, any_number);
  CHECK(owners(m) == list{{10, 1}, {20, no_worker}, {1, 2}, {1, 2}});
  CHECK(m.pieces()[2].run.stamp == 3);
  CHECK(m.steps()[1].after.stamp == 4);
  CHECK(m.pieces()[3].run.stamp == 5);
  CHECK(m.steps()[2].after.stamp == 6);
  CHECK(m.steps()[0].after.stamp == 7);
  // parts that the program has placed keep their entries, or else it would place them again
  CHECK(merged(s, any_number, {true, false, false}) == s);
}

TEST_CASE("no more steals than asked for are left, those that brought the least work go first") {
  std::vector<schedule::piece> pieces;
  for (std::uint64_t i = 1; i < 100; ++i) pieces.push_back({i, {i % 2 == 0 ? 1 : 2}});
  for (const std::size_t most : {99U, 50U, 7U, 3U}) CHECK(merged(one_loop(pieces), most).steals() == most);
}

TEST_CASE("merging keeps a schedule's rules") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const schedule s = drawn(seed, 40).get().make();
    const schedule m = merged(s, any_number);
    CHECK(m.steals() <= s.steals());
    CHECK(m.duration_ns() <= s.duration_ns());
    CHECK(merged(s, 5).steals() <= std::max<std::size_t>(5, s.workers() - 1));
  }
}

TEST_CASE("the schedule of a steady program does not grow from replay to replay") {
  constexpr unsigned workers = 4;
  tine::pool p{{.workers = workers, .promote = tine::promotion::eager(), .pin = tine::affinity::none}};
  struct tree {
    static void all(int depth) {
      if (depth > 0) tine::par([depth] { all(depth - 1); }, [depth] { all(depth - 1); });
    }
  };
  p.run([] {
    const auto step = [] {
      std::atomic<int> sum{0};
      tine::par_for(0, 256, [&](int i) { sum.fetch_add(i); });
      tree::all(8);
      CHECK(sum == 255 * 128);
    };
    schedule s = tine::record(step);
    const std::size_t most = std::max<std::size_t>(s.steals(), 32 * workers);
    for (int i = 0; i < 25; ++i) {
      s = tine::replay(s, tine::replay_mode::relaxed, step).performed;
      CHECK(s.steals() <= most);
    }
  });
}
