// Profiles after changes: small dags by hand, and random programs whose changed work and span are computed by a
// recursion over the program itself.
#include "report/changed.hpp"

#include "report/simulation.hpp"
#include "unit/report/root_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace tine::test;
using enum tine::trace::node::shape;
using tine::report::change;
using tine::report::changed;
using tine::trace::node;
using tine::trace::profile;

constexpr std::uint32_t sites = 4;

/// A program: strands and forks, one after the other. Each fork has a site and two branches.
struct piece {
  std::uint64_t strand = 0;  // of a piece without branches
  std::uint32_t site = nothing;
  std::vector<std::vector<piece>> branches;
};
using program = std::vector<piece>;

program random_program(std::mt19937& random, unsigned depth) {
  program p;
  for (auto n = 1 + random() % 3; n > 0; --n) {
    p.push_back({.strand = 1000 * (1 + random() % 50), .site = nothing, .branches = {}});
    if (depth == 0 || random() % 4 == 0) continue;
    piece fork{.strand = 0, .site = static_cast<std::uint32_t>(random() % sites), .branches = {}};
    for (int side = 0; side < 2; ++side) fork.branches.push_back(random_program(random, depth - 1));
    p.push_back(std::move(fork));
  }
  return p;
}

struct totals {
  double work = 0, span = 0;
};

/// The oracle: `scale` holds for all strands that are below no changed site.
totals of(const program& p, const std::vector<change>& changes, totals scale = {1, 1}) {
  totals all;
  for (const piece& each : p) {
    if (each.branches.empty()) {
      all.work += static_cast<double>(each.strand) * scale.work;
      all.span += static_cast<double>(each.strand) * scale.span;
      continue;
    }
    totals inside = scale;
    std::vector<change> others;  // a site inside itself is changed once
    for (const change& c : changes) {
      if (c.site != each.site) {
        others.push_back(c);
      } else if (c.is == change::kind::parallel) {
        inside.span = 0;
      } else {
        inside.work /= c.factor, inside.span /= c.factor;
      }
    }
    double longest = 0;
    for (const program& branch : each.branches) {
      const totals t = of(branch, others, inside);
      all.work += t.work;
      longest = std::max(longest, t.span);
    }
    all.span += longest;
  }
  return all;
}

/// Adds the program to the root that is open.
void add(tine::tests::simulation& to, const program& p) {
  for (const piece& each : p) {
    if (each.branches.empty()) {
      to.strand(each.strand);
    } else {
      to.fork(each.site, [&] { add(to, each.branches[0]); }, [&] { add(to, each.branches[1]); });
    }
  }
}

/// Writes the program as a profile. A part with less work than `threshold` is one leaf.
profile written_as_profile(const program& p, std::uint64_t threshold) {
  tine::tests::simulation all{threshold};
  for (std::uint32_t s = 0; s < sites; ++s) all.site(tine::trace::construct::fork);
  all.root(0, [&] { add(all, p); });
  return all.profile;
}

double work_of_paths(const profile& p) {
  double all = 0;
  for (const auto& path : p.paths) all += static_cast<double>(path.work);
  return all;
}

std::vector<change> random_changes(std::mt19937& random) {
  std::vector<change> all;
  for (std::uint32_t s = 0; s < sites; ++s) {
    if (random() % 3 == 0)
      all.push_back({.is = change::kind::faster, .site = s, .factor = random() % 2 == 0 ? 2 : 0.5});
    if (random() % 6 == 0) all.push_back({.is = change::kind::parallel, .site = s});
  }
  return all;
}

}  // namespace

TEST_CASE("a site that becomes twice as fast, in a dag of six nodes") {
  // 10, then (20 | 30 in site 0), then 5
  profile p;
  p.sites.assign(1, fork_site());
  p.nodes = {inner(series, 3, 45), strand(10), inner(parallel, 2, 30, 0), strand(20, 0), strand(30, 0), strand(5)};
  p.nodes[0].work = 65, p.nodes[2].work = 50;
  p.roots = {root_of(0, 10, 65, 45)};
  p.roots[0].all.burdened_span = 49;
  const profile faster = changed(p, {{.is = change::kind::faster, .site = 0, .factor = 2}});
  CHECK(faster.roots[0].all.work == 40);
  CHECK(faster.roots[0].all.span_high == 30);
  CHECK(faster.roots[0].all.burdened_span == 34);
  const profile parallel_now = changed(p, {{.is = change::kind::parallel, .site = 0}});
  CHECK(parallel_now.roots[0].all.work == 65);
  CHECK(parallel_now.roots[0].all.span_high == 15);
  const profile free_of_burden = changed(p, {{.is = change::kind::unburdened, .site = 0}});
  CHECK(free_of_burden.roots[0].all.span_high == 45);
  CHECK(free_of_burden.roots[0].all.burdened_span == 45);
}

TEST_CASE("with a node for each strand, changes have exactly the effect of a changed program") {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    const program written = random_program(random, 5);
    const profile p = written_as_profile(written, 0);
    const std::vector<change> changes = random_changes(random);
    const totals expected = of(written, changes);
    const profile now = changed(p, changes);
    const double error = 1.0 + static_cast<double>(p.nodes.size());  // each node is rounded
    CHECK(std::abs(static_cast<double>(now.roots[0].all.work) - expected.work) <= error);
    CHECK(std::abs(static_cast<double>(now.roots[0].all.span_high) - expected.span) <= error);
    CHECK(std::abs(work_of_paths(now) - expected.work) <= error);
  }
}

TEST_CASE("where small parts are leaves, the work of a changed site is known from the paths") {
  double worst = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    const program written = random_program(random, 6);
    const totals before = of(written, {});
    const profile p = written_as_profile(written, static_cast<std::uint64_t>(before.work / 20));
    const std::vector<change> changes = {{.is = change::kind::faster, .site = 1, .factor = 4}};
    const totals expected = of(written, changes);
    const profile now = changed(p, changes);
    CHECK(std::abs(work_of_paths(now) - expected.work) <= 1.0 + static_cast<double>(p.paths.size()));
    CHECK(std::abs(static_cast<double>(now.roots[0].all.work) - expected.work) <=
          1.0 + static_cast<double>(p.paths.size()));
    worst = std::max(worst, std::abs(static_cast<double>(now.roots[0].all.span_high) - expected.span) / before.span);
  }
  MESSAGE("greatest error of a span: ", worst);
  CHECK(worst < 0.25);
}
