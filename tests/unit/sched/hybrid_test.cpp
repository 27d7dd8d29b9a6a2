// Machines with cores of several kinds, as made-up /sys trees that hwloc reads.
#include "sched/circumstances.hpp"
#include "sched/topology.hpp"
#include "unit/sched/machine_tree.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace {

using tine::sched::topology;
using tine::test::machine_tree;

/// Cores that follow one another in the system's numbering.
struct cores {
  int count;
  int threads;       // hardware threads of each
  int capacity = 0;  // as Linux states it on ARM and on hybrid x86; 0: not at all
  int kilohertz = 0;
};

struct expectation {
  const char* machine;
  std::vector<cores> has;
  std::vector<unsigned> kinds;
  std::vector<int> order;  // of the cores, by their numbers from 0
};

const expectation machines[] = {
    {"all cores alike", {{4, 2, 1024}}, {8}, {0, 1, 2, 3, 0, 1, 2, 3}},
    {"a system that does not tell", {{2, 2}, {2, 1}}, {6}, {0, 1, 2, 3, 0, 1}},
    {"fast cores with two threads, then slow ones", {{2, 2, 1024}, {4, 1, 446}}, {4, 4}, {0, 1, 2, 3, 4, 5, 0, 1}},
    {"slow cores first in the numbering", {{4, 1, 446}, {4, 1, 1024}}, {4, 4}, {4, 5, 6, 7, 0, 1, 2, 3}},
    {"three kinds", {{4, 1, 160}, {3, 1, 498}, {1, 1, 1024}}, {1, 3, 4}, {7, 4, 5, 6, 0, 1, 2, 3}},
    {"kinds by their frequencies", {{2, 1, 0, 2'000'000}, {2, 1, 0, 4'000'000}}, {2, 2}, {2, 3, 0, 1}},
    {"a favoured core that is a little faster", {{3, 1, 0, 5'000'000}, {1, 1, 0, 5'100'000}}, {4}, {0, 1, 2, 3}},
    {"favoured cores beside slow ones",
     {{1, 1, 0, 5'000'000}, {1, 1, 0, 5'200'000}, {2, 1, 0, 3'900'000}, {1, 1, 0, 5'100'000}},
     {3, 2},
     {0, 1, 4, 2, 3}},
    {"8 and 8, as on desktops", {{8, 2, 1024}, {8, 1, 578}}, {16, 8}, {0,  1,  2,  3,  4, 5, 6, 7, 8, 9, 10, 11,
                                                                       12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6,  7}},
};

machine_tree tree_of(const std::vector<cores>& has) {
  machine_tree::processors all;
  int core = 0;
  for (const cores& c : has) {
    for (int i = 0; i < c.count; ++i, ++core) {
      for (int thread = 0; thread < c.threads; ++thread) {
        all.push_back({.core = core, .capacity = c.capacity, .kilohertz = c.kilohertz});
      }
    }
  }
  return machine_tree{all};
}

// Returns the cores of the first `workers` places, numbered from 0 in the order of their processors.
std::vector<int> order_on(const topology& t, unsigned workers) {
  std::set<int> leaves;
  for (const auto& p : t.places(t.processors())) leaves.insert(p.core);
  std::vector<int> order;
  for (const auto& p : t.places(workers))
    order.push_back(static_cast<int>(std::distance(leaves.begin(), leaves.find(p.core))));
  return order;
}

}  // namespace

TEST_CASE("workers take the fastest cores first, then the others, then second hardware threads") {
  for (const expectation& e : machines) {
    CAPTURE(std::string{e.machine});
    const machine_tree machine = tree_of(e.has);
    CHECK(machine.holds([&] {
      const topology t = topology::load();
      return t.kinds() == e.kinds && order_on(t, t.processors()) == e.order;
    }));
    CHECK(machine.holds([&] {  // a small pool has the begin of that order
      return order_on(topology::load(), 2) == std::vector<int>{e.order[0], e.order[1]};
    }));
  }
}

TEST_CASE("a process that may use one kind of cores only has one kind") {
  // Processor 0 is real, and this process may use few others of this machine.
  const machine_tree machine = tree_of({{24, 1, 446}, {4, 1, 1024}});
  CHECK(machine.holds([&] {
    setenv("HWLOC_THISSYSTEM", "1", 1);
    const topology t = topology::load();
    return t.processors() <= 24 ? t.kinds() == std::vector<unsigned>{t.processors()} : t.kinds().size() == 2;
  }));
}

TEST_CASE("a quota changes the number of workers, and the kinds are those of the processors") {
  const std::vector<unsigned> kinds{16, 8};
  const tine::pool_defaults d =
      tine::sched::defaults_under({24, 1, 24, tine::sched::cpu_quota{10, "cpu.max"}, 0, kinds});
  CHECK(d.workers == 10);
  CHECK(!d.pinned);
  CHECK(d.kinds == kinds);
}
