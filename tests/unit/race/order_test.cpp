// The order of strands in random serial runs, against the paths of the strands.
#include "unit/race/random_run.hpp"

#include <doctest/doctest.h>

using namespace tine;

TEST_CASE("the strands in open intervals are those that are parallel to the running one") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    test::random_run run{seed};
    unsigned parallel = 0;
    run.go(400, [&] {
      for (unsigned i = 0; i < 8; ++i) {
        const detail::strand_number s = 1 + run.below(run.order.last());
        const bool expected = test::are_parallel(run.path_of(s), run.path_of(run.running()));
        // The quick answers may be "unknown", before a search and after it.
        for (unsigned after = 0; after < 2; ++after) {
          REQUIRE(!(run.order.is_surely_parallel(s) && !expected));
          REQUIRE(!(run.order.is_surely_in_series(s) && expected));
          REQUIRE((run.order.find(s) != nullptr) == expected);
        }
        REQUIRE(run.order.is_surely_parallel(s) == expected);
        REQUIRE(run.order.is_surely_in_series(s) == !expected);
        parallel += expected;
      }
    });
    CHECK(parallel > 100);
  }
}

TEST_CASE("an interval names the construct at which the paths part") {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    test::random_run run{seed};
    run.go(400, [&] {
      const detail::strand_number s = 1 + run.below(run.order.last());
      const auto* const in = run.order.find(s);
      if (in == nullptr) return;
      REQUIRE(in->construct < run.open.size());
      const auto &earlier = run.path_of(s), &now = run.path_of(run.running());
      REQUIRE(in->construct < earlier.size());
      REQUIRE(earlier[in->construct].construct == run.open[in->construct].number);
      REQUIRE(earlier[in->construct].branch != now[in->construct].branch);
    });
  }
}
