// The order of strands in random serial runs, against the paths of the strands.
#include "unit/race/random_run.hpp"

#include <doctest/doctest.h>

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
