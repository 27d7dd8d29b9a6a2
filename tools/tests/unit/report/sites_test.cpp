// Totals of sites from paths: inclusive work, recursion and forks, compared with values computed by hand.
#include "report/summary.hpp"
#include "unit/report/root_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace tine::test;
using tine::report::site_row;
using tine::report::summarise;
using tine::report::summary;
using tine::trace::profile;

const site_row& row(const summary& s, std::uint32_t site) {
  return *std::find_if(s.sites.begin(), s.sites.end(), [site](const auto& r) { return r.site == site; });
}

}  // namespace

TEST_CASE("a site holds the bytes below it") {
  profile p;
  p.sites = {fork_site(1), fork_site(4)};
  p.paths = {{nothing, nothing, 100, 0}, {0, 0, 50, 1}, {1, 1, 30, 3}, {0, 1, 20, 1}};
  p.roots = {root_of(0, 10, 200, 10)};
  const summary s = summarise(p);
  CHECK(row(s, 0).work == 80);
  CHECK(row(s, 0).own_work == 50);
  CHECK(row(s, 0).forks == 4);
  CHECK(row(s, 0).work_per_fork->nanoseconds == doctest::Approx(20));
  CHECK(row(s, 0).work_share == doctest::Approx(0.4));
  CHECK(row(s, 1).work == 50);
  CHECK(row(s, 1).forks == 4);
  CHECK(s.sites.front().site == 0);  // sites are sorted by descending work
}

TEST_CASE("a recursion counts once") {
  profile p;
  p.sites = {fork_site(7), fork_site(2)};
  // 0 → 0 → 1 → 0: only the outermost 0 counts, with everything below it.
  p.paths = {{nothing, nothing, 1, 0}, {0, 0, 10, 1}, {1, 0, 20, 2}, {2, 1, 40, 2}, {3, 0, 80, 4}};
  p.roots = {root_of(0, 10, 151, 10)};
  const summary s = summarise(p);
  CHECK(row(s, 0).work == 150);
  CHECK(row(s, 0).own_work == 110);
  CHECK(row(s, 0).forks == 9);
  CHECK(row(s, 1).work == 120);
  CHECK(row(s, 1).own_work == 40);
}

TEST_CASE("an instance that is not below another counts beside it") {
  profile p;
  p.sites = {fork_site(2), fork_site(1)};
  p.paths = {{nothing, 0, 10, 1}, {nothing, 1, 5, 1}, {1, 0, 20, 1}};
  const summary s = summarise(p);
  CHECK(row(s, 0).work == 30);
  CHECK(row(s, 1).work == 25);
}

TEST_CASE("a loop of n counts n - 1 forks") {
  profile p;
  p.sites = {loop_site(4, 400)};
  p.paths = {{nothing, 0, 3960, 1, 301}, {nothing, nothing, 0, 0}, {1, 0, 7920, 3, 99}};
  const summary s = summarise(p);
  CHECK(row(s, 0).forks == 396);
  CHECK(row(s, 0).work_per_fork->nanoseconds == doctest::Approx(30));
}

TEST_CASE("the loops of a path have their own lengths") {
  profile p;
  p.sites = {loop_site(11, 1010), fork_site(4)};
  // a loop of 10 iterations, with a loop of 100 iterations in each of them; beside it four forks
  p.paths = {{nothing, nothing, 0, 0}, {0, 0, 10, 1, 10}, {1, 0, 100, 10, 1000}, {0, 1, 7, 4}};
  const summary s = summarise(p);
  CHECK(row(s, 0).forks == 999);
  CHECK(row(s, 1).forks == 4);
}

TEST_CASE("time that profiling added does not count as the program's work") {
  profile p;
  p.run.profiled_fork_cost = 100;
  p.run.profiled_loop_cost = 50;
  p.sites = {fork_site(10), loop_site(2, 22)};
  p.paths = {{nothing, 0, 4000, 10}, {0, 1, 2000, 2, 22}};
  const summary s = summarise(p);
  CHECK(row(s, 0).forks == 30);
  CHECK(row(s, 0).work_per_fork->nanoseconds == doctest::Approx((6000 - 10 * 100 - 2 * 50) / 30.0));
  CHECK(!row(s, 0).work_per_fork->is_bound);
  CHECK(row(s, 1).work_per_fork->nanoseconds == doctest::Approx((2000 - 2 * 50) / 20.0));
}

TEST_CASE("where profiling added too much, work per fork is a bound") {
  profile p;
  p.run.profiled_fork_cost = 100;
  p.sites = {fork_site(10)};
  p.paths = {{nothing, 0, 3999, 10}};
  CHECK(row(summarise(p), 0).work_per_fork->nanoseconds == doctest::Approx(399.9));
  CHECK(row(summarise(p), 0).work_per_fork->is_bound);
  p.paths[0].work = 4000;
  CHECK(row(summarise(p), 0).work_per_fork->nanoseconds == doctest::Approx(300));
  CHECK(!row(summarise(p), 0).work_per_fork->is_bound);
}

TEST_CASE("without counts there is no work per fork") {
  profile p;
  p.sites = {fork_site()};
  p.paths = {{nothing, 0, 100, 0}};
  const summary s = summarise(p);
  CHECK(!row(s, 0).work_per_fork.has_value());
  CHECK(!row(s, 0).span_share.has_value());
}

TEST_CASE("a recursion of a million levels") {
  profile p;
  p.sites = {fork_site(1'000'000)};
  for (std::uint32_t i = 0; i < 1'000'000; ++i) p.paths.push_back({i == 0 ? nothing : i - 1, 0, 1, 1});
  CHECK(row(summarise(p), 0).work == 1'000'000);
}
