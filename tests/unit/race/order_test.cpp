// The order of strands in random serial runs, against the paths of the strands.
#include "unit/race/random_run.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>

using namespace tine;

TEST_CASE("the strands in open intervals are those that are parallel, and intervals name where the paths part") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    test::random_run run{seed};
    unsigned parallel = 0;
    run.go(400, [&] {
      for (unsigned i = 0; i < 8; ++i) {
        const detail::strand_number s = 1 + run.below(run.order.last());
        const auto &earlier = run.path_of(s), &now = run.path_of(run.running());
        const bool expected = test::are_parallel(earlier, now);
        // The quick answers may be "unknown", before a search and after it.
        for (unsigned after = 0; after < 2; ++after) {
          REQUIRE(!(run.order.surely_outlasts(s) && !expected));
          REQUIRE(!(run.order.is_surely_in_series(s) && expected));
          REQUIRE((run.order.find(s) != nullptr) == expected);
        }
        REQUIRE(run.order.surely_outlasts(s) == expected);
        REQUIRE(run.order.is_surely_in_series(s) == !expected);
        if (!expected) continue;
        ++parallel;
        const unsigned at = run.order.find(s)->owner;
        REQUIRE(at < run.open.size());
        REQUIRE(at < earlier.size());
        REQUIRE(earlier[at].construct == run.open[at].number);
        REQUIRE(earlier[at].branch != now[at].branch);
      }
    });
    CHECK(parallel > 100);
  }
}

TEST_CASE("nothing outlasts a member of a team that is interrupted") {
  constexpr detail::interval_owner team = 0;
  detail::order order;
  for (int i = 0; i < 3; ++i) order.next();
  REQUIRE(order.push(2, 3, team));
  CHECK(order.surely_outlasts(2));
  order.interrupt(team);
  REQUIRE(order.extend(order.next(), team, 2));
  CHECK(!order.can_extend_by_next(team));
  order.next();
  REQUIRE(order.push(4, 5, team + 1));  // a fork inside
  for (detail::strand_number s = 1; s < 5; ++s) CHECK(!order.surely_outlasts(s));
}

TEST_CASE("the intervals of a team are replaced by others, around those of tasks") {
  constexpr detail::strand_number strands = 64, most = 4;  // an interval has up to so many
  constexpr detail::interval_owner team = 1, set = detail::of_group | 2;
  std::minstd_rand random{7};
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 2000; ++round) {
    detail::order order;
    while (order.last() < strands) order.next();
    std::array<detail::interval_owner, strands> expected{};  // 0: none
    const detail::strand_number from = most * below(strands / most);
    for (detail::strand_number lo = most; lo < strands; lo += most) {
      const detail::strand_number end = lo + 1 + below(most);
      const detail::interval_owner owner = below(3) == 0 ? 0 : below(2) == 0 ? team : set;
      if (owner != 0) REQUIRE(order.insert(lo, end, owner));
      for (detail::strand_number s = lo; s < end; ++s) expected[s] = owner == team && lo >= from ? 0 : owner;
    }
    detail::growing_list<detail::order::interval> ranges;
    for (detail::strand_number at = from; at < strands;) {
      const detail::strand_number lo = at + below(6), hi = std::min(lo + 1 + below(12), strands);
      at = hi + 1;
      if (lo >= hi) continue;
      ranges.push({lo, hi, team});
      for (detail::strand_number s = lo; s < hi; ++s) expected[s] = expected[s] == 0 ? team : expected[s];
    }
    REQUIRE(order.replace(team, from, ranges));
    for (unsigned turn = 0; turn < 2; ++turn) {
      for (detail::strand_number s = 1; s < strands; ++s) {
        const detail::order::interval* const found = order.find(s);
        REQUIRE((found != nullptr ? found->owner : 0) == expected[s]);
        REQUIRE(!(order.is_surely_in_series(s) && expected[s] != 0));
      }
    }
  }
}
