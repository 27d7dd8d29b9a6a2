// The ways to earlier strands, against the paths of the strands.
#include "unit/race/random_run.hpp"

#include <doctest/doctest.h>

using namespace tine;

TEST_CASE("the history knows all steps to a parallel strand") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    test::random_run run{seed};
    unsigned ways = 0;
    run.go(400, [&] {
      const detail::strand_number s = 1 + run.below(run.order.last());
      const auto* const in = run.order.find(s);
      if (in == nullptr) return;
      const detail::strand_way way = run.history.way(s, run.open[in->owner].entry);
      REQUIRE(!way.is_cut);
      test::path found(run.path_of(s).begin(), run.path_of(s).begin() + in->owner);
      for (const detail::strand_step& step : way.steps)
        found.push_back({static_cast<unsigned>(step.where), step.is_loop, step.branch});
      REQUIRE(found == run.path_of(s));
      ++ways;
    });
    CHECK(ways > 20);
  }
}

TEST_CASE("a history that has lost the outer steps says so, and knows the inner ones") {
  using enum detail::history::event;
  detail::history history;
  // A loop whose only iteration so far has many forks, the last of which is in the second branch of an open one.
  history.add(loop, 2, 1, 100);
  history.add(iterations, 2, 2, 7);
  detail::strand_number last = 2;
  const auto fork_and_join = [&](std::uint64_t site) {
    history.add(fork, last + 1, 2, site);
    history.add(second, last + 2, last + 2, 0);
    history.add(join, last + 3, 0, 0);
    last += 2;
  };
  for (unsigned i = 0; i < 100'000; ++i) fork_and_join(200);
  history.add(fork, ++last, 2, 300);
  const detail::strand_number inner = last;
  const detail::strand_way way = history.way(inner, 0);
  CHECK(way.is_cut);
  REQUIRE(way.steps.size() == 1);
  CHECK(way.steps[0].where == 300);
  CHECK(way.steps[0].branch == 0);
}
