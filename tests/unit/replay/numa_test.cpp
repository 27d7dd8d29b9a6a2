// NUMA nodes in schedules, and the places of recorded workers in pools with other nodes, on machines that exist only as
// text.
#include "replay/workers_by_node.hpp"
#include "sched/topology.hpp"
#include "unit/replay/example.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace tine::test;
using tine::schedule;
using tine::detail::workers_by_node;
using nodes = std::vector<int>;
using places = std::vector<unsigned>;

constexpr unsigned outside = 1000;  // the root was begun by a thread from outside of the pool

nodes nodes_on(const char* machine, unsigned workers) {
  nodes all;
  for (const auto& p : tine::sched::topology::synthetic(machine).places(workers)) all.push_back(p.numa_node);
  return all;
}

places matched(const nodes& recorded, const nodes& pool, unsigned root = outside, unsigned first = outside) {
  return workers_by_node({recorded, root}, static_cast<unsigned>(recorded.size()), {pool, first});
}

std::map<int, std::size_t> sizes(const nodes& of) {
  std::map<int, std::size_t> all;
  for (const int n : of) ++all[n];
  return all;
}

std::vector<std::size_t> descending(const nodes& of) {
  std::vector<std::size_t> all;
  for (const auto& [node, size] : sizes(of)) all.push_back(size);
  std::ranges::sort(all, std::greater{});
  return all;
}

// Returns true if each recorded node fits on a node of the pool of its own.
bool has_a_node_for_each(const nodes& recorded, const nodes& pool) {
  const auto wanted = descending(recorded), there = descending(pool);
  return wanted.size() <= there.size() &&
         std::ranges::equal(wanted, std::vector(there.begin(), there.begin() + static_cast<long>(wanted.size())),
                            std::less_equal{});
}

// Checks the promises: the use of workers is even; a recorded node is divided only if no node of the pool has room for
// it; recorded nodes that fit on nodes of their own have these.
void check_promises(const nodes& recorded, const nodes& pool, const places& got) {
  REQUIRE(got.size() == recorded.size());
  std::vector<std::size_t> used(pool.size());
  for (const unsigned w : got) {
    REQUIRE(w < pool.size());
    ++used[w];
  }
  CHECK(std::ranges::max(used) - std::ranges::min(used) <= 1);
  if (recorded.size() > pool.size()) return;
  std::map<int, std::set<int>> on;               // by recorded node: the nodes of the pool
  std::map<int, std::map<int, std::size_t>> by;  // as well, with the numbers of workers
  std::map<int, std::size_t> room = sizes(pool);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const int node = pool[got[i]];
    on[recorded[i]].insert(node);
    ++by[recorded[i]][node];
    --room[node];
  }
  for (const auto& [node, size] : sizes(recorded)) {
    if (on[node].size() == 1) continue;
    for (const auto& [there, left] : room) CHECK(left + by[node][there] < size);
  }
  if (!has_a_node_for_each(recorded, pool)) return;
  std::set<int> taken;
  for (const auto& [node, there] : on) {
    CHECK(there.size() == 1);
    CHECK(taken.insert(*there.begin()).second);
  }
}

}  // namespace

TEST_CASE("workers of a recorded node stay together") {
  const nodes two_of_two = nodes_on("node:2 core:2 pu:1", 4), two_of_four = nodes_on("node:2 core:4 pu:1", 8);
  const struct {
    const char* what;
    nodes recorded, pool;
    unsigned root, first;
    places expected;
  } cases[] = {
      {"equal machines", two_of_four, two_of_four, 0, 0, {0, 1, 2, 3, 4, 5, 6, 7}},
      {"half as many cores: two workers on a place", two_of_four, two_of_two, 0, 0, {0, 1, 0, 1, 2, 3, 2, 3}},
      {"more cores: a node each", two_of_two, two_of_four, 0, 0, {0, 1, 4, 5}},
      {"one large node for two", two_of_two, nodes_on("core:8 pu:1", 8), 0, 0, {0, 1, 2, 3}},
      {"second hardware threads", two_of_four, nodes_on("node:2 core:2 pu:2", 8), 0, 0, {0, 1, 4, 5, 2, 3, 6, 7}},
      {"larger nodes first", {0, 1, 1, 1, 2, 2}, {5, 5, 7, 7, 7, 9, 9}, outside, outside, {5, 2, 3, 4, 0, 1}},
      {"the largest part stays together", nodes(5), {0, 0, 1, 1, 1}, outside, outside, {2, 3, 4, 0, 1}},
      {"every worker is used", nodes(6), {0, 0, 0, 1, 1}, outside, outside, {0, 1, 2, 0, 3, 4}},
      {"the node of the worker that begins", two_of_two, two_of_four, 3, 1, {4, 5, 0, 1}},
      {"the node of the worker that begins", two_of_two, two_of_four, 0, 6, {4, 5, 0, 1}}};
  for (const auto& c : cases) {
    CAPTURE(std::string{c.what});
    CHECK(matched(c.recorded, c.pool, c.root, c.first) == c.expected);
  }
  // threads from outside are nodes of their own
  CHECK(workers_by_node({nodes{0, 0}, outside}, 3, {nodes{0, 0, 1, 1}, outside}) == places{0, 1, 2});
}

TEST_CASE("random pools keep the rules") {
  const std::uint64_t seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 dice{seed};
  const auto below = [&](unsigned n) { return std::uniform_int_distribution<unsigned>{0, n - 1}(dice); };
  const auto drawn_nodes = [&] {
    nodes all(1 + below(24));
    const unsigned most = 1 + below(6);
    for (int& n : all) n = static_cast<int>(below(most));
    return all;
  };
  for (int i = 0; i < 500; ++i) {
    const nodes recorded = drawn_nodes(), pool = drawn_nodes();
    CAPTURE(recorded);
    CAPTURE(pool);
    check_promises(recorded, pool, matched(recorded, pool, below(30), below(30)));
  }
  for (const char* from :
       {"node:1 core:8 pu:1", "node:2 core:4 pu:1", "node:8 core:2 pu:2", "pack:2 node:2 core:3 pu:1"}) {
    for (const char* to : {"node:1 core:4 pu:1", "node:2 core:8 pu:2", "node:4 core:2 pu:1", "node:3 core:5 pu:1"}) {
      for (unsigned workers = 1; workers <= 16; ++workers) {
        const nodes recorded = nodes_on(from, workers), pool = nodes_on(to, 4);
        check_promises(recorded, pool, matched(recorded, pool));
        check_promises(pool, recorded, matched(pool, recorded));
      }
    }
  }
}

TEST_CASE("a schedule keeps its NUMA nodes") {
  schedule s = example().make();
  CHECK(s.numa_nodes().empty());
  CHECK(s.to_json().find("numa") == std::string::npos);
  s.set_numa_nodes({0, 1, 0});
  CHECK(schedule::from_json(s.to_json()) == s);
  CHECK(s != example().make());
  schedule pruned = s;
  pruned.prune(50);
  CHECK(pruned.numa_nodes() == nodes{0, 1, 0});
  s.set_numa_nodes({3});  // the others were threads from outside
  CHECK(schedule::from_json(s.to_json()).numa_nodes() == nodes{3});
}

TEST_CASE("NUMA nodes that cannot be are refused") {
  schedule s = example().make();
  CHECK_THROWS_WITH_AS(s.set_numa_nodes({0, 0, 0, 0}), "not a schedule: it has 3 workers and the NUMA nodes of 4",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(s.set_numa_nodes({0, -1}),
                       "not a schedule: worker 1 is on NUMA node -1, which is not from 0 to 65535",
                       std::invalid_argument);
  CHECK(s.numa_nodes().empty());
  s.set_numa_nodes({0, 1, 0});
  std::string text = s.to_json();
  text.replace(text.find("[0,1,0]"), 7, "[0,1.5,0]");
  CHECK_THROWS_WITH_AS(schedule::from_json(text), doctest::Contains("numa_nodes/1 is no whole number"),
                       std::runtime_error);
}
