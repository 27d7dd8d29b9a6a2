// The vertex of a profile: its counts at each site, and the forks and loops that become points.
#include "augment/profiled.hpp"
#include "augment/phases.hpp"

#include <tine/base/ticks.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tine::detail;
namespace trace = tine::trace;
using tine::base::ticks;
using tine::base::to_nanoseconds;
using tine::sched::branch_end;

void run(profiled& v, ticks t) {
  v.start(1);
  v.stop(1 + t);
}

/// Forks; the branches have strands of `left` and `right` ticks.
void fork_in(profiled& v, ticks left, ticks right, tine::sched::site where, branch_end how) {
  profiled l, r;
  v.fork(l, r, where);
  run(l, left);
  run(r, right);
  v.join(l, r, how);
}

/// Runs a loop of one subrange with one chunk.
void loop(profiled& v, ticks work, std::uint64_t n, tine::sched::site where) {
  profiled subrange;
  v.loop(subrange, n, where);
  subrange.start(1);
  subrange.chunk(n, 1 + work);
  subrange.stop(1 + work);
  v.join_loop(subrange);
}

trace::profile merged() {
  trace::profile p;
  merge_paths(p);
  merge_points(p);
  return p;
}

const trace::site& site_at(const trace::profile& p, tine::sched::site where) {
  const std::uint32_t i = index_of_site(p, where);
  REQUIRE(i != trace::nothing);
  return p.sites[i];
}

std::vector<trace::point> points_at(const trace::profile& p, tine::sched::site where) {
  std::vector<trace::point> all;
  std::copy_if(p.points.begin(), p.points.end(), std::back_inserter(all),
               [&](const trace::point& one) { return p.sites[one.site].address == where; });
  return all;
}

}  // namespace

TEST_CASE("forks count at their site, with the end of their second branch") {
  profiled v;
  run(v, 1);
  fork_in(v, 1, 1, 0x7100, branch_end::unpromoted);
  fork_in(v, 1, 1, 0x7100, branch_end::reclaimed);
  fork_in(v, 1, 1, 0x7100, branch_end::stolen);
  const trace::profile p = merged();
  const trace::site& s = site_at(p, 0x7100);
  CHECK(s.kind == trace::construct::fork);
  CHECK(s.count == 3);
  CHECK(s.promoted == 2);
  CHECK(s.stolen == 1);
  CHECK(v.forks == 3);
}

TEST_CASE("a loop in a loop counts at its own site only") {
  profiled v, first, second;
  run(v, 1);
  for (profiled* subrange : {&first, &second}) {
    v.loop(*subrange, 8, 0x7250);
    subrange->start(1);
    subrange->stop(2);
    for (int i = 0; i < 4; ++i) loop(*subrange, point_threshold(), 100, 0x7260);
    fork_in(*subrange, 1, 1, 0x7270, branch_end::stolen);
    subrange->start(2);
    subrange->chunk(4, 3);
    subrange->stop(3);
  }
  first.append(second, branch_end::stolen);
  v.join_loop(first);
  CHECK(v.loops == 9);
  CHECK(v.iterations == 808);
  const trace::profile p = merged();
  const trace::site &outer = site_at(p, 0x7250), &inner = site_at(p, 0x7260);
  CHECK(outer.count == 1);
  CHECK(outer.iterations == 8);
  CHECK(outer.promoted == 1);  // one subrange was promoted; forks in the subrange do not count for the loop
  CHECK(outer.stolen == 1);
  CHECK(inner.count == 8);
  CHECK(inner.iterations == 800);
  CHECK(inner.promoted == 0);
  CHECK(site_at(p, 0x7270).stolen == 2);
  const auto points = points_at(p, 0x7250);
  REQUIRE(points.size() == 1);
  CHECK(points[0].forks == 7 + 8 * 99 + 2);
}

TEST_CASE("a fork's point counts the iterations of the loops below it") {
  profiled v, l, r;
  run(v, 1);
  v.fork(l, r, 0x7280);
  loop(l, point_threshold(), 30, 0x7290);
  run(r, 1);
  v.join(l, r, branch_end::unpromoted);
  const auto points = points_at(merged(), 0x7280);
  REQUIRE(points.size() == 1);
  CHECK(points[0].forks == 1 + 29);
}

TEST_CASE("a strand's own work is separate from the work of its forks") {
  profiled v;
  run(v, 100);
  fork_in(v, 1000, 2000, 0x7300, branch_end::unpromoted);
  run(v, 10);
  loop(v, 5000, 9, 0x7310);
  run(v, 1);
  CHECK(v.own_work == 111);
  CHECK(v.work == 8111);
}

TEST_CASE("a fork becomes a point if the work below it reaches the threshold") {
  const ticks enough = point_threshold();
  profiled v;
  run(v, 10 * enough);  // not below a fork or loop, so it does not count
  fork_in(v, enough - 2, 1, 0x7400, branch_end::unpromoted);
  fork_in(v, enough - 1, 1, 0x7400, branch_end::unpromoted);
  loop(v, enough - 1, 50, 0x7410);
  loop(v, enough, 50, 0x7410);
  const trace::profile p = merged();
  const auto forks = points_at(p, 0x7400), loops = points_at(p, 0x7410);
  REQUIRE(forks.size() == 1);
  CHECK(forks[0].work == to_nanoseconds(enough));
  CHECK(forks[0].span == to_nanoseconds(enough - 1));
  CHECK(forks[0].forks == 1);
  CHECK(forks[0].phase == trace::nothing);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].work == to_nanoseconds(enough));
  CHECK(loops[0].forks == 49);
}

TEST_CASE("forks inside a phase belong to the phase") {
  const std::uint32_t number = number_of_phase("a phase of the test", trace::nothing);
  profiled v, l, r;
  v.phase = number;
  run(v, 1);
  v.fork(l, r, 0x7500);
  CHECK(l.phase == number);
  CHECK(r.phase == number);
  fork_in(v, point_threshold(), 1, 0x7500, branch_end::unpromoted);
  CHECK(v.phase == number);
  const trace::profile p = merged();
  const auto points = points_at(p, 0x7500);
  REQUIRE(points.size() == 1);
  CHECK(points[0].phase == number);
}

TEST_CASE("a strand that continues on another thread counts in that thread's tree") {
  profiled v, l, r;
  run(v, 1);
  v.fork(l, r, 0x7600);
  std::thread{[&] {
    run(r, 5);
    fork_in(r, 1, 1, 0x7610, branch_end::unpromoted);
    CHECK(r.here->tree != l.here->tree);
  }}.join();
  run(l, 5);
  v.join(l, r, branch_end::stolen);
  const trace::profile p = merged();
  CHECK(site_at(p, 0x7600).stolen == 1);
  CHECK(site_at(p, 0x7610).count == 1);
  const std::uint32_t below = index_of_site(p, 0x7610);
  const auto at = std::find_if(p.paths.begin(), p.paths.end(), [&](const auto& one) { return one.site == below; });
  REQUIRE(at != p.paths.end());
  CHECK(p.sites[p.paths[at->parent].site].address == 0x7600);
}
