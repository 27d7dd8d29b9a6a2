// Vertices over a loop that many threads share (a test for ThreadSanitizer), and over a loop of very many subranges.
#include "augment/dag.hpp"
#include "augment/profiled.hpp"

#include "unit/augment/closed_dag.hpp"

#include <tine/augment.hpp>
#include <tine/detail/base/macros.hpp>
#include <tine/tine.hpp>

#include <sched.h>
#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace tine;

TEST_CASE("subranges of a loop are prepared at the same time") {
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

// A time quadratic in the subranges exceeds the limit of ctest: a quarter of these iterations, nearly each of them a
// subrange, took 43 s.
TEST_CASE("a loop of very many subranges closes in time linear in them") {
  constexpr int n = TINE_ASAN || TINE_TSAN ? 50'000 : 800'000;
  pool p{{.workers = 2, .promote = promotion::eager()}};
  work_span seen;
  const auto leaf = [](int) {
    for (int i = 0; i < 30; ++i) tine::base::pause();
  };
  p.run([&] { augment_into([&] { par_for(0, n, leaf); }, seen); });
  CHECK(seen.iterations == n);
  CHECK(seen.loops == 1);
}

}  // namespace
