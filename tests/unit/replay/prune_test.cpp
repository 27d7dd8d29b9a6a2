// Pruning: the steals that it removes, the steals that it keeps, and the rules of schedules, which the result obeys.
#include "unit/replay/example.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace {

using namespace tine::test;
using tine::schedule;

schedule pruned(const parts& p, double percent) {
  schedule s = p.make();
  s.prune(percent);
  return s;
}

std::vector<std::uint32_t> stamps_of_steals(const schedule& s) {
  std::vector<std::uint32_t> stamps;
  for (const schedule::piece& p : s.pieces()) {
    if (p.run.owner != no_worker) stamps.push_back(p.run.stamp);
  }
  return stamps;
}

/// Returns a schedule of one loop. For each of `lengths` the last worker steals a piece, which takes that long.
parts flat(unsigned workers, const std::vector<std::uint64_t>& lengths) {
  parts p{workers, {0, 0, 0, 100}, {{0, 1}}, {}, {}};
  const int thief = static_cast<int>(workers) - 1;
  for (std::uint32_t i = 0; i < lengths.size(); ++i)
    p.pieces.push_back({i + 1, {thief, i + 1, 0, lengths[i]}, nothing});
  const auto count = static_cast<std::uint32_t>(lengths.size());
  p.steps.push_back({0, loop, count + 1, 0, count, {0, count + 1, 0, 0}});
  return p;
}

}  // namespace

TEST_CASE("0 percent removes only pieces that have neither an owner nor a node") {
  const schedule s = pruned(example(), 0);
  CHECK(s.steals() == 5);
  CHECK(s.nodes().size() == 4);
  CHECK(s.steps().size() == 5);
  CHECK(s.pieces().size() == 7);  // the loop's first piece had neither an owner nor a node
  CHECK(s.duration_ns() == 400);
}

TEST_CASE("100 percent leaves one steal for each worker but the first, the uppermost ones") {
  const schedule s = pruned(example(), 100);
  CHECK(stamps_of_steals(s) == std::vector<std::uint32_t>{1, 7});  // 8 is on the level of 7, and shorter
  CHECK(s.nodes().size() == 1);
  CHECK(s.steps().size() == 2);
  CHECK(s.workers() == 3);
  CHECK(s.root() == example().root);

  const schedule one = pruned(flat(1, {5, 6, 7}), 100);
  CHECK(one.steals() == 0);
  CHECK(one.steps().empty());
  CHECK(pruned(flat(8, {5, 6, 7}), 100).steals() == 3);
}

TEST_CASE("levels go from the last one up") {
  // Levels of the steals, by stamp: level 0 for 1, 7 and 8; level 1 for 2; level 2 for 3.
  CHECK(stamps_of_steals(pruned(example(), 20)) == std::vector<std::uint32_t>{1, 7, 8, 2});
  CHECK(stamps_of_steals(pruned(example(), 40)) == std::vector<std::uint32_t>{1, 7, 8});
  const schedule s = pruned(chain(100), 37);
  CHECK(s.steals() == 63);
  CHECK(s.nodes().size() == 63);
  CHECK(stamps_of_steals(s).back() == 63);
}

TEST_CASE("it stops inside a level; the steals with the least work are removed first, and the later of equal ones") {
  CHECK(stamps_of_steals(pruned(flat(2, {10, 40, 20, 30}), 50)) == std::vector<std::uint32_t>{2, 4});
  CHECK(stamps_of_steals(pruned(flat(2, {10, 40, 20, 30}), 25)) == std::vector<std::uint32_t>{2, 3, 4});
  CHECK(stamps_of_steals(pruned(flat(2, {7, 7, 7, 7}), 50)) == std::vector<std::uint32_t>{1, 2});
  CHECK(pruned(flat(2, {1, 2, 3}), 50).steals() == 2);  // 1.5 steals are rounded up
}

TEST_CASE("a steal's work is that of everything in it") {
  // Two forks of one level: the first steal is short but contains a long one.
  parts p{2,
          {0, 0, 0, 1},
          {{0, 2}, {2, 1}},
          {{0, schedule::kind::fork, 2, 0, 1, {0, 4, 0, 0}},
           {1, schedule::kind::fork, 2, 1, 1, {0, 6, 0, 0}},
           {0, schedule::kind::fork, 2, 2, 1, {1, 3, 0, 0}}},
          {{1, {1, 1, 0, 10}, 1}, {1, {1, 5, 0, 50}, nothing}, {1, {0, 2, 0, 1000}, nothing}}};
  CHECK(stamps_of_steals(pruned(p, 66)) == std::vector<std::uint32_t>{1, 5});
  CHECK(stamps_of_steals(pruned(p, 67)) == std::vector<std::uint32_t>{1});
}

TEST_CASE("a reclaimed branch moved no work to another worker") {
  // The region has two forks whose second branches were promoted. Worker 1 stole the branch of the first fork, and
  // continued after its join. Worker 1 also reached the second fork, and reclaimed the branch of that fork.
  parts p{2,
          {0, 0, 0, 1},
          {{0, 2}},
          {{0, schedule::kind::fork, 2, 0, 1, {1, 3, 0, 0}}, {1, schedule::kind::fork, 2, 1, 1, {1, 4, 0, 0}}},
          {{1, {1, 1, 0, 10}, nothing}, {1, {1, 2, 0, 50}, nothing}}};
  CHECK(stamps_of_steals(pruned(p, 50)) == std::vector<std::uint32_t>{1});
  p.steps[0].after.owner = 0;
  CHECK(stamps_of_steals(pruned(p, 50)) == std::vector<std::uint32_t>{2});
}

TEST_CASE("a fork of which nothing stolen is left has no join either, and branches without anything go") {
  parts p = example();
  p.steps[2].number = 9;
  const schedule s = pruned(p, 20);
  CHECK(s.nodes().size() == 2);
  for (const schedule::step& t : s.steps()) CHECK(t.after.owner != no_worker);
  CHECK(s.pieces()[0].node == 1);
  CHECK(s.pieces()[1].node == nothing);
}

TEST_CASE("a task's continuation stays behind a fork that stays, because the task then ends where that fork says") {
  constexpr auto run = schedule::kind::run;
  const schedule s = pruned({2,
                             {0, 0, 0, 1},
                             {{0, 4}},
                             {{0, run, 0, 0, 0, {1, 1, 0, 0}},
                              {1, schedule::kind::fork, 2, 0, 1, {1, 3, 0, 0}},
                              {2, run, 0, 1, 0, {1, 4, 0, 0}},
                              {3, run, 0, 1, 0, {}}},
                             {{1, {1, 2, 0, 10}, nothing}}},
                            100);
  REQUIRE(s.steps().size() == 2);
  CHECK(s.steps()[1].what == run);
  CHECK(s.steps()[1].number == 2);
  CHECK(s.steps()[1].after.owner == 1);
}

TEST_CASE("drawn schedules stay schedules, keep what was asked for, and pruning by 0 or 100 again changes nothing") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const schedule whole = drawn(seed, 60).get().make();
    std::size_t before = whole.steals();
    for (const double percent : {0.0, 10.0, 50.0, 99.0, 100.0}) {
      CAPTURE(percent);
      schedule s = whole;
      REQUIRE_NOTHROW(s.prune(percent));
      const auto asked =
          static_cast<std::size_t>(std::ceil(static_cast<double>(whole.steals()) * (100 - percent) / 100));
      REQUIRE(s.steals() == std::min(whole.steals(), std::max<std::size_t>(asked, whole.workers() - 1)));
      REQUIRE(s.steals() <= before);
      REQUIRE(s.size_bytes() <= whole.size_bytes());
      before = s.steals();
      schedule again = s;
      again.prune(0);
      REQUIRE(again == s);
      s.prune(100);
      again = s;
      again.prune(100);
      REQUIRE(again == s);
    }
  }
}

TEST_CASE("percents that are none") {
  schedule s = example().make();
  for (const double percent :
       {-0.1, 100.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    CHECK_THROWS_WITH_AS(s.prune(percent), doctest::Contains("0 to 100 percent"), std::invalid_argument);
  }
  CHECK(s == example().make());
}

TEST_CASE("a chain of 100,000 nodes is pruned") {
  const schedule s = pruned(chain(100'000), 50);
  CHECK(s.steals() == 50'000);
}
