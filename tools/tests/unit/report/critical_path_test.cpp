// The critical path through small series-parallel dags, compared with paths found by hand.
#include "report/summary.hpp"
#include "unit/report/root_of.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace {

using namespace tine::test;
using enum tine::trace::node::shape;
using tine::report::critical_path;
using tine::report::summarise;
using tine::trace::node;
using tine::trace::profile;

profile with_nodes(std::vector<node> nodes, std::size_t sites = 3) {
  profile p;
  p.sites.assign(sites, fork_site());
  p.nodes = std::move(nodes);
  p.roots = {root_of(0, 10, p.nodes[0].work, p.nodes[0].span)};
  return p;
}

std::vector<std::uint32_t> nodes_of(const critical_path& c) {
  std::vector<std::uint32_t> all;
  for (const auto& step : c.steps) all.push_back(step.node);
  return all;
}

}  // namespace

TEST_CASE("through a series all children, through a fork the longer branch") {
  // 10, then (20 | 30 in site 0), then 5
  const auto s = summarise(with_nodes(
      {inner(series, 3, 45), strand(10), inner(parallel, 2, 30, 0), strand(20, 0), strand(30, 0), strand(5)}));
  REQUIRE(s.critical.has_value());
  const critical_path& c = *s.critical;
  CHECK(c.length == 45);
  CHECK(nodes_of(c) == std::vector<std::uint32_t>{1, 4, 5});
  CHECK(c.steps[1].begin == 10);
  CHECK(c.steps[1].site == 0);
  CHECK(c.steps[2].begin == 40);
  CHECK(c.steps[2].site == nothing);
  CHECK(c.goes_through == std::vector<bool>{true, true, true, false, true, true});
  CHECK(c.by_site[0] == 30);
  CHECK(s.sites[0].span_share == doctest::Approx(30.0 / 45));
}

TEST_CASE("a site inside itself is counted once") {
  // site 0: ( site 1: (site 0: (8 | 4) | 6) | 7 )
  const auto s = summarise(with_nodes({inner(parallel, 2, 8, 0), inner(parallel, 2, 8, 1), inner(parallel, 2, 8, 0),
                                       strand(8, 0), strand(4, 0), strand(6, 1), strand(7, 0)}));
  CHECK(s.critical->length == 8);
  CHECK(s.critical->by_site[0] == 8);
  CHECK(s.critical->by_site[1] == 8);
}

TEST_CASE("work of a node beyond its children is a step of its own") {
  const auto s = summarise(with_nodes({inner(series, 1, 100), inner(loop, 2, 60, 2), strand(40), strand(50)}));
  const critical_path& c = *s.critical;
  CHECK(nodes_of(c) == std::vector<std::uint32_t>{3, 1, 0});
  CHECK(c.steps[1].length == 10);
  CHECK(c.steps[2].length == 40);
  CHECK(c.steps[2].site == nothing);
  CHECK(c.length == 100);
  CHECK(c.by_site[2] == 60);
}

TEST_CASE("the roots' paths come one after the other") {
  profile p = with_nodes({strand(3), inner(series, 2, 9), strand(4), strand(5), strand(1, 1)});
  p.roots = {root_of(20, 25, 3, 3), root_of(0, 10, 9, 9), root_of(12, 15, 1, 1)};
  const auto s = summarise(p);
  CHECK(nodes_of(*s.critical) == std::vector<std::uint32_t>{2, 3, 4, 0});  // in the order of time
  CHECK(s.critical->length == 13);
  CHECK(s.critical->length == s.roots.span_high);
  CHECK(s.critical->by_site[1] == 1);
  CHECK(s.critical->tree_begins == std::vector<std::uint64_t>{10, 0, 9});
}

TEST_CASE("the path goes through the heaviest chain of overlapping roots") {
  // a: 0-40 and b: 10-60 overlap, c: 50-90 comes after a and overlaps b, d: 95-100 after all
  profile p = with_nodes({strand(30), strand(45, 1), strand(20), strand(5)});
  p.roots = {root_of(0, 40, 30, 30), root_of(10, 60, 45, 45), root_of(50, 90, 20, 20), root_of(95, 100, 5, 5)};
  const auto s = summarise(p);
  CHECK(nodes_of(*s.critical) == std::vector<std::uint32_t>{0, 2, 3});
  CHECK(s.critical->length == 55);
  CHECK(s.critical->length == s.roots.span_high);
  CHECK(s.critical->by_site[1] == 0);
  CHECK(s.critical->goes_through == std::vector<bool>{true, false, true, true});
  CHECK(s.critical->tree_begins == std::vector<std::uint64_t>{0, 0, 30, 50});
}

TEST_CASE("a nest of a million forks") {
  std::vector<node> nodes;
  constexpr std::uint64_t levels = 1'000'000;
  for (std::uint64_t i = 0; i < levels; ++i) nodes.push_back(inner(parallel, 1, levels - i + 5, 0));
  nodes.push_back(strand(5));
  const auto s = summarise(with_nodes(std::move(nodes), 1));
  CHECK(s.critical->length == levels + 5);
  CHECK(s.critical->steps.size() == levels + 1);
}
