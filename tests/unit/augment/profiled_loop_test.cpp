// A profile's vertices over a loop that many threads share: ThreadSanitizer looks at this.
#include "augment/dag.hpp"
#include "augment/profiled.hpp"

#include "unit/augment/closed_dag.hpp"

#include <tine/augment.hpp>
#include <tine/tine.hpp>

#include <sched.h>
#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace tine;

TEST_CASE("pieces of a loop are prepared at the same time") {
  pool p{{.workers = 8, .promote = promotion::eager()}};
  detail::profiled counts;
  detail::dag_vertex dag;
  const auto loop = [] { par_for(0, 64, [](int) { sched_yield(); }); };
  for (int again = 0; again < 50; ++again) p.run([&] { augment_into(loop, counts, dag); });
  CHECK(counts.loops == 50);
  const test::closed_dag drawn{dag};
  CHECK(drawn.root().value.forks == 50 * 63);

  trace::profile all;
  detail::merge_paths(all);
  const auto sites = std::count_if(all.sites.begin(), all.sites.end(),
                                   [](const trace::site& s) { return s.count == 50 && s.iterations == 50 * 64; });
  CHECK(sites == 1);
}

}  // namespace
