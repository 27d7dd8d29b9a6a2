// Processors, distances, victims and pinning, on machines that exist only as text and on this machine.
#include "sched/topology.hpp"
#include "unit/run_child.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <doctest/doctest.h>

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using tine::sched::move_this_thread;
using tine::sched::pin_this_thread;
using tine::sched::processor;
using tine::sched::topology;
using tine::sched::victim_table;
using tine::test::holds_in_child;

// Makes a system call fail with EPERM in this process, as sandboxes do. Returns false if that is not possible here.
bool forbid(unsigned call) {
  sock_filter steps[] = {
      {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
      {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
  };
  const sock_fprog program{4, steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

std::vector<int> processors_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
  std::vector<int> result;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) result.push_back(i);
  }
  return result;
}

std::vector<int> nodes_of(const std::vector<processor>& places) {
  std::vector<int> result;
  for (const processor& p : places) result.push_back(p.numa_node);
  return result;
}

std::size_t cores_of(const std::vector<processor>& places) {
  std::set<int> cores;
  for (const processor& p : places) cores.insert(p.core);
  return cores.size();
}

std::vector<double> weights_on(const std::string& machine, unsigned workers, unsigned self) {
  const topology t = topology::synthetic(machine);
  return t.victim_weights(t.places(workers), self);
}

std::vector<double> row(std::initializer_list<std::pair<int, double>> runs) {
  std::vector<double> result;
  for (const auto& [count, weight] : runs) result.insert(result.end(), static_cast<std::size_t>(count), weight);
  return result;
}

// Returns 64 good bits from a counter (Steele, Lea and Flood 2014).
std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

// Returns true if a million draws from the table look as if made by the weights: Pearson's chi-square, whose mean is
// the number of victims minus one, is at most ten standard deviations above its mean, with a margin for small tables.
bool draws_follow(const victim_table& table, const std::vector<double>& weights) {
  constexpr std::uint64_t seed = 20240607;
  constexpr int draws = 1'000'000;
  std::vector<int> drawn(weights.size(), 0);
  std::uint64_t state = seed;
  for (int i = 0; i < draws; ++i) ++drawn.at(table.draw(splitmix(state)));
  double total = 0;
  for (const double w : weights) total += w;
  double statistic = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double expected = draws * weights[i] / total;
    if (expected > 0) statistic += (drawn[i] - expected) * (drawn[i] - expected) / expected;
    if (!(expected > 0) && drawn[i] != 0) return false;
  }
  const double freedom = static_cast<double>(weights.size()) - 2;
  const double bound = freedom + 10 * std::sqrt(2 * freedom) + 30;
  MESSAGE("seed " << seed << ", " << weights.size() << " workers: chi-square " << statistic << ", bound " << bound);
  return statistic < bound;
}

}  // namespace

TEST_CASE("a synthetic machine has the processors and nodes that its text says") {
  struct expectation {
    const char* text;
    std::size_t processors, nodes;
  };
  for (const expectation& e : {expectation{"node:1 core:4 pu:1", 4, 1},
                               {"node:2 core:4 pu:2", 16, 2},
                               {"node:8 l3:2 core:4 pu:2", 128, 8},
                               {"pu:3", 3, 1}}) {
    const topology t = topology::synthetic(e.text);
    CHECK(t.processors() == e.processors);
    CHECK(t.nodes() == e.nodes);
  }
}

TEST_CASE("a text that hwloc refuses is named in the error") {
  for (const char* bad : {"", "node:2 core:four", "rubbish", "node:0 pu:1", "core:2 node"}) {
    CAPTURE(bad);
    const std::string message = "synthetic topology \"" + std::string{bad} +
                                "\": give levels from the outermost in, as hwloc writes them, for example \"node:2 "
                                "core:4 pu:1\"";
    CHECK_THROWS_WITH_AS(topology::synthetic(bad), message.c_str(), std::invalid_argument);
  }
}

TEST_CASE("places go core by core, neighbours first, hardware threads last") {
  const topology t = topology::synthetic("node:2 core:2 pu:2");
  CHECK(nodes_of(t.places(8)) == std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(cores_of(t.places(4)) == 4);
  CHECK(cores_of(t.places(8)) == 4);
  const std::vector<processor> all = t.places(8);
  for (std::size_t i = 0; i < 4; ++i) CHECK(all[i].core == all[i + 4].core);
  CHECK(t.places(0).empty());
}

TEST_CASE("a level of one core each is still a level of cores") {
  CHECK(cores_of(topology::synthetic("core:1 pu:2").places(2)) == 1);
  const topology t = topology::synthetic("pack:2 core:1 pu:2");
  const std::vector<processor> all = t.places(4);
  CHECK(all[0].core == all[2].core);
  CHECK(all[1].core == all[3].core);
  CHECK(all[0].core != all[1].core);
}

TEST_CASE("more workers than processors start over") {
  const topology t = topology::synthetic("node:2 core:2 pu:1");
  const std::vector<processor> places = t.places(10);
  CHECK(nodes_of(places) == std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 0, 0});
  for (std::size_t i = 4; i < places.size(); ++i) CHECK(places[i].core == places[i - 4].core);
}

TEST_CASE("synthetic places cannot be pinned") {
  for (const processor& p : topology::synthetic("node:1 core:2 pu:1").places(2)) {
    CHECK(p.os_index == -1);
    CHECK_FALSE(pin_this_thread(p));
  }
}

TEST_CASE("distance counts the edges up to the common ancestor, and is at least 1") {
  const topology t = topology::synthetic("pack:2 l3:2 core:2 pu:2");
  const std::vector<processor> p = t.places(16);
  CHECK(t.distance(p[0], p[0]) == 1);
  CHECK(t.distance(p[0], p[8]) == 1);  // the same core
  CHECK(t.distance(p[0], p[1]) == 1);  // the same third-level cache
  CHECK(t.distance(p[0], p[2]) == 2);  // the same package
  CHECK(t.distance(p[0], p[4]) == 3);
  CHECK(t.distance(p[4], p[0]) == 3);
}

TEST_CASE("levels that divide nothing do not lengthen distances") {
  const topology t = topology::synthetic("node:2 pack:1 l3:1 core:2 l2:1 l1:1 pu:1");
  const std::vector<processor> p = t.places(4);
  CHECK(t.distance(p[0], p[1]) == 1);
  CHECK(t.distance(p[0], p[2]) == 2);
}

TEST_CASE("victim weights follow libfork's eq. 6") {
  struct expectation {
    const char* what;
    const char* machine;
    unsigned workers, self;
    std::vector<double> weights;
  };
  const expectation all[] = {
      {"one node: all alike", "node:1 core:4 pu:1", 4, 0, row({{1, 0.0}, {3, 1.0 / 3}})},
      {"two nodes: 3 at r = 1, 4 at r = 2", "node:2 core:4 pu:1", 8, 0, row({{1, 0.0}, {3, 1.0 / 3}, {4, 1.0 / 16}})},
      {"the same from the second node", "node:2 core:4 pu:1", 8, 5,
       row({{4, 1.0 / 16}, {1, 1.0 / 3}, {1, 0.0}, {2, 1.0 / 3}})},
      {"the second node is used by one worker", "node:2 core:4 pu:1", 5, 0,
       row({{1, 0.0}, {3, 1.0 / 3}, {1, 1.0 / 4}})},
      {"that worker", "node:2 core:4 pu:1", 5, 4, row({{4, 1.0 / 16}, {1, 0.0}})},
      {"eight nodes: 1 at r = 1, 14 at r = 2", "node:8 core:2 pu:1", 16, 0, row({{1, 0.0}, {1, 1.0}, {14, 1.0 / 56}})},
      {"eight nodes with hardware threads: 3 at r = 1, 28 at r = 2", "node:8 core:2 pu:2", 32, 0,
       row({{1, 0.0}, {1, 1.0 / 3}, {14, 1.0 / 112}, {2, 1.0 / 3}, {14, 1.0 / 112}})},
      {"three levels: 3 at r = 1, 4 at r = 2, 8 at r = 3", "pack:2 l3:2 core:4 pu:1", 16, 0,
       row({{1, 0.0}, {3, 1.0 / 3}, {4, 1.0 / 16}, {8, 1.0 / 72}})},
      {"two workers on one processor", "pu:1", 2, 1, row({{1, 1.0}, {1, 0.0}})},
      {"one worker", "node:1 core:4 pu:1", 1, 0, row({{1, 0.0}})},
  };
  for (const expectation& e : all) {
    CAPTURE(std::string{e.what});
    const std::vector<double> found = weights_on(e.machine, e.workers, e.self);
    REQUIRE(found.size() == e.weights.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == doctest::Approx(e.weights[i]).epsilon(1e-12));
  }
}

TEST_CASE("victims are drawn by weight") {
  std::vector<double> weights;
  SUBCASE("one node") { weights = weights_on("node:1 core:4 pu:1", 4, 2); }
  SUBCASE("two nodes") { weights = weights_on("node:2 core:4 pu:1", 8, 0); }
  SUBCASE("eight nodes") { weights = weights_on("node:8 l3:2 core:4 pu:2", 128, 77); }
  SUBCASE("the largest pool") { weights = weights_on("node:8 core:32 pu:2", 512, 511); }
  SUBCASE("weights of many magnitudes") { weights = {1, 0, 1000, 0.25, 30, 7, 1e-3, 30}; }
  CHECK(draws_follow(victim_table{weights}, weights));
}

TEST_CASE("no random number draws the thief itself or a missing worker") {
  for (unsigned workers = 2; workers <= 9; ++workers) {
    for (unsigned self = 0; self < workers; ++self) {
      const victim_table table{weights_on("node:2 core:4 pu:1", workers, self)};
      std::uint64_t state = 3;
      std::vector<std::uint64_t> randoms{0, ~std::uint64_t{0}, 0xffffffff, 0xffffffff00000000U};
      for (int i = 0; i < 1'000; ++i) randoms.push_back(splitmix(state));
      for (const std::uint64_t random : randoms) {
        const unsigned victim = table.draw(random);
        REQUIRE(victim < workers);
        REQUIRE(victim != self);
      }
    }
  }
}

TEST_CASE("the only worker has no victims") {
  CHECK(victim_table{}.empty());
  CHECK(victim_table{weights_on("node:1 core:4 pu:1", 1, 0)}.empty());
  CHECK_FALSE(victim_table{weights_on("node:1 core:4 pu:1", 2, 0)}.empty());
}

TEST_CASE("HWLOC_SYNTHETIC makes up the machine") {
  CHECK(holds_in_child([] {
    setenv("HWLOC_SYNTHETIC", "node:8 core:2 pu:2", 1);
    const topology t = topology::load();
    return t.processors() == 32 && t.nodes() == 8 && t.places(1)[0].os_index == -1;
  }));
  CHECK(holds_in_child([] {
    setenv("HWLOC_SYNTHETIC", "node:8 core:2 pu:2", 1);
    return topology::synthetic("node:2 core:1 pu:1").processors() == 2;
  }));
}

TEST_CASE("a foreign machine passed off as this one is used unpinned") {
  CHECK(holds_in_child([] {
    setenv("HWLOC_SYNTHETIC", "core:2 pu:1(indexes=1000,1001)", 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    const topology t = topology::load();
    return t.processors() == 2 && t.places(2)[0].os_index == -1;
  }));
}

TEST_CASE("without any processor there is an error, not a crash") {
  CHECK(holds_in_child([] {
    setenv("HWLOC_COMPONENTS", "stop", 1);
    try {
      topology::load();
    } catch (const std::runtime_error& e) {
      return std::string{e.what()} ==
             "hwloc finds no processors on this machine: unset the HWLOC_* environment variables";
    }
    return false;
  }));
}

TEST_CASE("this machine's places are the processors this thread may use, each once") {
  const std::vector<int> allowed = processors_of_this_thread();
  const topology t = topology::load();
  REQUIRE(t.processors() == allowed.size());
  std::set<int> seen;
  for (const processor& p : t.places(t.processors())) {
    seen.insert(p.os_index);
    CHECK(p.numa_node < static_cast<int>(t.nodes()));
  }
  CHECK(std::vector<int>(seen.begin(), seen.end()) == allowed);
  for (const processor& p : t.places(t.processors() + 1)) CHECK(p.os_index == -1);
}

TEST_CASE("of_machine is read once") {
  const topology& first = topology::of_machine();
  std::thread{[&first] { CHECK(&topology::of_machine() == &first); }}.join();
  CHECK(first.processors() >= 1);
}

TEST_CASE("only processors of the affinity mask are used") {
  const int last = processors_of_this_thread().back();
  std::thread{[last] {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(last, &set);
    CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
    const topology t = topology::load();
    CHECK(t.processors() == 1);
    CHECK(t.nodes() == 1);
    CHECK(t.places(1)[0].os_index == last);
    CHECK(t.places(2)[0].os_index == -1);
  }}.join();
}

TEST_CASE("reading the machine binds no thread, pinning only the calling one; a refusal changes nothing") {
  const std::vector<int> before = processors_of_this_thread();
  const topology t = topology::load();
  CHECK(processors_of_this_thread() == before);
  std::thread{[&] {
    for (const processor& p : t.places(t.processors())) {
      CHECK(pin_this_thread(p));
      CHECK(processors_of_this_thread() == std::vector<int>{p.os_index});
    }
    const std::vector<int> pinned = processors_of_this_thread();
    CHECK_FALSE(pin_this_thread({100'000, 0, 0}));
    CHECK_FALSE(pin_this_thread({-1, 0, 0}));
    CHECK(processors_of_this_thread() == pinned);
  }}.join();
  CHECK(processors_of_this_thread() == before);
}

TEST_CASE("where affinity is forbidden the machine is used unpinned") {
  SUBCASE("setting it") {
    CHECK(holds_in_child([] {
      if (!forbid(SYS_sched_setaffinity)) return true;
      const topology t = topology::load();
      return !pin_this_thread(t.places(1)[0]);
    }));
  }
  SUBCASE("even asking for it") {
    CHECK(holds_in_child([] {
      if (!forbid(SYS_sched_getaffinity)) return true;
      const topology t = topology::load();
      return t.processors() >= 1 && t.places(1)[0].os_index == -1;
    }));
  }
}

TEST_CASE("moving the calling thread does not change its affinity") {
  const topology t = topology::load();
  const std::vector<int> before = processors_of_this_thread();
  std::thread{[&] {
    for (const processor& p : t.places(t.processors())) {
      move_this_thread(p);
      CHECK(processors_of_this_thread() == before);
    }
    const processor last = t.places(t.processors()).back();
    REQUIRE(pin_this_thread(last));
    move_this_thread(t.places(1)[0]);  // the thread may not run there: the call does nothing
    move_this_thread({-1, 0, 0});
    CHECK(sched_getcpu() == last.os_index);
    CHECK(processors_of_this_thread() == std::vector<int>{last.os_index});
  }}.join();
}
