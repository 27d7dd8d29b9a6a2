// The reader of Linux's files, beside hwloc: on this machine, and on made-up ones with one NUMA node.
#include "sched/topology.hpp"
#include "unit/sched/machine_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using tine::sched::processor;
using tine::sched::topology;
using tine::test::machine_tree;
using tine::test::made_up_processor;
using processors = machine_tree::processors;

// The first difference, for people; empty if pools get the same workers, in the same order, with the same victims.
std::string difference(const topology& a, const topology& b) {
  if (a.processors() != b.processors()) return "processors";
  if (a.nodes() != b.nodes()) return "nodes";
  if (a.kinds() != b.kinds()) return "kinds";
  const std::vector<processor> p = a.places(a.processors()), q = b.places(b.processors());
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p[i].os_index != q[i].os_index) return "processor of worker " + std::to_string(i);
    if (p[i].numa_node != q[i].numa_node) return "node of worker " + std::to_string(i);
    for (std::size_t j = 0; j < p.size(); ++j) {
      const std::string pair = " of " + std::to_string(i) + " and " + std::to_string(j);
      if ((p[i].core == p[j].core) != (q[i].core == q[j].core)) return "core" + pair;
      if (a.distance(p[i], p[j]) != b.distance(q[i], q[j])) return "distance" + pair;
    }
  }
  return {};
}

// Returns true if both readers tell the same of the machine to a process with these processors.
bool agree(const machine_tree& machine, const std::vector<int>& allowed) {
  return machine.holds([&] {
    setenv("HWLOC_THISSYSTEM", "1", 1);  // so that hwloc's processors are pinned, too
    const std::optional<topology> found = topology::of_one_node(allowed, machine.root());
    const std::string what = found ? difference(topology::by_hwloc(allowed), *found) : "no topology";
    if (!what.empty()) std::fprintf(stderr, "the readers differ: %s\n", what.c_str());
    return what.empty();
  });
}

// Returns true if the reader gives up, as it should where it doesn't know what hwloc would say.
bool gives_up(const machine_tree& machine) { return !topology::of_one_node(machine.online(), machine.root()); }

processors packages_with_caches(int packages, int caches, int cores, int threads) {
  processors all;
  for (int thread = 0; thread < threads; ++thread) {  // as Linux often numbers them: second threads follow all cores
    for (int c = 0; c < packages * caches * cores; ++c) {
      all.push_back({.core = c,
                     .package = c / (caches * cores),
                     .die = c / (caches * cores),
                     .cluster = c,
                     .caches = {c, c, c, c / cores},
                     .kilohertz = 3'500'000,
                     .base_kilohertz = 2'100'000});
    }
  }
  return all;
}

// `fast` cores with two threads each, then `slow` ones that share second-level caches by four.
processors hybrid_desktop(int fast, int slow, bool has_capacities) {
  processors all;
  for (int c = 0; c < fast; ++c) {
    const bool is_favoured = c == 2;
    for (int thread = 0; thread < 2; ++thread) {
      all.push_back({.core = c,
                     .die = 0,
                     .cluster = c,
                     .caches = {c, c, c, 0},
                     .capacity = has_capacities ? (is_favoured ? 1024 : 1009) : 0,
                     .kilohertz = is_favoured ? 5'000'000 : 4'900'000,
                     .base_kilohertz = 3'600'000});
    }
  }
  for (int c = fast; c < fast + slow; ++c) {
    const int four = fast + (c - fast) / 4;
    all.push_back({.core = c,
                   .die = 0,
                   .cluster = four,
                   .caches = {c, c, four, 0},
                   .capacity = has_capacities ? 578 : 0,
                   .kilohertz = 3'800'000,
                   .base_kilohertz = 2'700'000});
  }
  return all;
}

processors big_little(int little, int big) {
  processors all;
  for (int c = 0; c < little + big; ++c) {
    const bool is_big = c >= little;
    all.push_back({.core = c,
                   .cluster = is_big,
                   .caches = {c, c, is_big},
                   .capacity = is_big ? 1024 : 446,
                   .kilohertz = is_big ? 2'200'000 : 1'800'000});
  }
  return all;
}

processors with(processors all, const std::function<void(int, made_up_processor&)>& change) {
  for (std::size_t i = 0; i < all.size(); ++i) change(static_cast<int>(i), all[i]);
  return all;
}

const std::vector<std::pair<const char*, processors>>& machines() {
  static const std::vector<std::pair<const char*, processors>> all{
      {"one processor", {{}}},
      {"a virtual machine that tells little", {{.core = 0}, {.core = 1}, {.core = 2}, {.core = 3}}},
      {"a virtual machine with a package for each processor", {{.core = 0, .package = 0}, {.core = 1, .package = 1}}},
      {"cores with two threads", packages_with_caches(1, 1, 4, 2)},
      {"threads that follow one another", {{.core = 0}, {.core = 0}, {.core = 1}, {.core = 1}}},
      {"four third-level caches", packages_with_caches(1, 4, 4, 2)},
      {"two packages with one node", packages_with_caches(2, 2, 3, 2)},
      {"packages that take turns in the numbering",
       with(packages_with_caches(1, 1, 8, 1),
            [](int i, made_up_processor& p) { p.package = p.die = p.caches[3] = i % 2; })},
      {"a third-level cache of two packages",
       with(packages_with_caches(2, 1, 2, 1), [](int, made_up_processor& p) { p.caches[3] = 0; })},
      {"two dies", with(packages_with_caches(2, 2, 4, 1),
                        [](int i, made_up_processor& p) {
                          p.die = i / 4;
                          p.caches[3] = i / 8;
                        })},
      {"clusters of four",
       with(packages_with_caches(1, 2, 8, 1), [](int i, made_up_processor& p) { p.cluster = i / 4; })},
      {"an offline thread",
       with(packages_with_caches(1, 2, 2, 2), [](int i, made_up_processor& p) { p.online = i != 5; })},
      {"an offline first core",
       with(packages_with_caches(1, 2, 2, 2), [](int i, made_up_processor& p) { p.online = i % 4 != 0; })},
      {"hybrid by frequencies", hybrid_desktop(4, 8, false)},
      {"hybrid by capacities", hybrid_desktop(4, 8, true)},
      {"big and little", big_little(4, 4)},
      {"kinds that nobody can order",
       {{.core = 0, .kilohertz = 4'000'000, .base_kilohertz = 2'000'000},
        {.core = 1, .kilohertz = 3'000'000, .base_kilohertz = 2'000'000}}},
      {"three kinds of one base frequency and two others",
       {{.core = 0, .kilohertz = 4'000'000, .base_kilohertz = 2'000'000},
        {.core = 1, .kilohertz = 4'100'000, .base_kilohertz = 2'000'000},
        {.core = 2, .kilohertz = 3'000'000, .base_kilohertz = 1'500'000},
        {.core = 3, .kilohertz = 2'000'000, .base_kilohertz = 1'000'000}}},
      {"one capacity, two frequencies",
       {{.core = 0, .capacity = 1024, .kilohertz = 3'000'000},
        {.core = 1, .capacity = 1024, .kilohertz = 4'000'000},
        {.core = 2, .capacity = 500, .kilohertz = 2'000'000}}},
  };
  return all;
}

// A random machine whose levels are nested, and a random part of its processors.
std::pair<processors, std::vector<int>> random_machine(std::mt19937& random) {
  const auto up_to = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  const int fan[] = {1 + up_to(3), 1 + up_to(3), 1 + up_to(3), 1 + up_to(3)};  // packages, clusters, caches, cores
  const int cores = fan[0] * fan[1] * fan[2] * fan[3], kinds = 1 + up_to(3);
  const bool has_clusters = up_to(2) != 0, has_caches = up_to(4) != 0;
  const bool has_capacity = up_to(2) != 0, has_frequency = up_to(2) != 0, has_base = has_frequency && up_to(2) != 0;
  processors all;
  for (int c = 0; c < cores; ++c) {
    const int cache = c / fan[3], cluster = cache / fan[2], package = cluster / fan[1], kind = cache % kinds;
    made_up_processor p{.core = c, .package = package, .die = package, .cluster = has_clusters ? cluster : -1};
    if (has_caches) p.caches = {c, c, cache, package};
    if (has_capacity) p.capacity = 1024 - 300 * kind;
    if (has_frequency) p.kilohertz = 5'000'000 - 800'000 * kind - 100'000 * up_to(2);
    if (has_base) p.base_kilohertz = 3'000'000 - 500'000 * kind;
    for (int threads = 1 + up_to(2); threads > 0; --threads) all.push_back(p);
    // the frequency is that of a core, not of a thread
  }
  if (up_to(2) != 0) std::shuffle(all.begin(), all.end(), random);
  std::vector<int> allowed;
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    if (up_to(4) != 0) allowed.push_back(i);
  }
  if (allowed.empty()) allowed.push_back(0);
  return {all, allowed};
}

}  // namespace

TEST_CASE("on this machine Linux's files tell what hwloc tells") {
  const std::vector<int> allowed = tine::sched::processors_of_this_thread();
  const std::optional<topology> found = topology::of_one_node(allowed);
  const topology expected = topology::by_hwloc(allowed);
  CHECK(difference(topology::load(), expected) == "");
  if (expected.nodes() > 1) {
    CHECK(!found);
  } else if (found) {  // a sandbox may hide files
    CHECK(difference(*found, expected) == "");
    for (const int one : allowed) {
      CHECK(difference(topology::of_one_node({one}).value(), topology::by_hwloc({one})) == "");
    }
  }
}

TEST_CASE("both readers agree on machines of many kinds") {
  for (const auto& [what, has] : machines()) {
    CAPTURE(std::string{what});
    const machine_tree machine{has};
    const std::vector<int> online = machine.online();
    CHECK(agree(machine, online));
    std::vector<int> some;
    std::copy_if(online.begin(), online.end(), std::back_inserter(some), [](int i) { return i % 3 != 1; });
    CHECK(agree(machine, some));
    CHECK(agree(machine, {online.back()}));
    CHECK(agree(machine, {online.begin(), online.begin() + static_cast<std::ptrdiff_t>(online.size() + 1) / 2}));
  }
}

TEST_CASE("both readers agree on random machines") {
  const char* const many = std::getenv("TINE_TEST_MACHINES");
  const unsigned count = many != nullptr ? static_cast<unsigned>(std::atoi(many)) : 20;
  unsigned given_up = 0;
  for (unsigned seed = 1; seed <= count; ++seed) {
    std::mt19937 random{seed};
    CAPTURE(seed);
    const auto [has, allowed] = random_machine(random);
    const machine_tree machine{has};
    given_up += gives_up(machine);
    CHECK((gives_up(machine) || agree(machine, machine.online())));
    CHECK((!topology::of_one_node(allowed, machine.root()) || agree(machine, allowed)));
  }
  CHECK(given_up < count / 3);
}

TEST_CASE("places and distances of two packages with one node") {
  const machine_tree machine{packages_with_caches(2, 2, 2, 2)};
  const topology t = topology::of_one_node(machine.online(), machine.root()).value();
  const std::vector<processor> p = t.places(16);
  for (int i = 0; i < 16; ++i) CHECK(p[static_cast<std::size_t>(i)].os_index == i);
  CHECK(p[0].core == p[8].core);
  CHECK(t.distance(p[0], p[1]) == 1);
  CHECK(t.distance(p[0], p[2]) == 2);
  CHECK(t.distance(p[0], p[4]) == 3);
}

TEST_CASE("the reader gives up where hwloc knows more") {
  SUBCASE("more nodes") {
    for (const char* nodes : {"0-1", "0,2", "1", ""}) {
      const machine_tree machine{packages_with_caches(2, 1, 2, 1)};
      machine.write("node/online", nodes);
      CHECK(gives_up(machine));
    }
  }
  SUBCASE("clusters of some cores only") {
    CHECK(gives_up(machine_tree{{{.core = 0, .cluster = 0}, {.core = 1, .cluster = 0}, {.core = 2, .cluster = 2}}}));
  }
  SUBCASE("a cache that some cores lack") {
    CHECK(gives_up(machine_tree{{{.core = 0, .caches = {0, 0, 0}}, {.core = 1, .caches = {0, 0, 0}}, {.core = 2}}}));
  }
  SUBCASE("lists that contradict each other") {
    const machine_tree machine{packages_with_caches(1, 2, 2, 1)};
    machine.write("cpu/cpu3/cache/index3/shared_cpu_list", "2-3");
    REQUIRE(!gives_up(machine));  // that of processor 2 has named it
    machine.write("cpu/cpu2/cache/index3/shared_cpu_list", "1-2");
    CHECK(gives_up(machine));
  }
  SUBCASE("threads of one unit that are cores of their own") {
    CHECK(gives_up(machine_tree{{{.core = 0, .core_id = 0}, {.core = 0, .core_id = 1}}}));
  }
  SUBCASE("a capacity of some cores only") {
    CHECK(gives_up(machine_tree{{{.core = 0, .capacity = 1024}, {.core = 1}}}));
  }
  SUBCASE("slower cores that only a folder tells apart") {
    const machine_tree machine{packages_with_caches(1, 1, 4, 1)};
    fs::create_directories(machine.root() + "/sys/devices/cpu_atom");
    CHECK(gives_up(machine));
  }
  SUBCASE("no processor that we may use, as far as we know") {
    const machine_tree machine{packages_with_caches(1, 1, 4, 1)};
    CHECK(!topology::of_one_node({}, machine.root()));
  }
  SUBCASE("no files at all") { CHECK(!topology::of_one_node({0, 1}, "/nonexistent")); }
}

TEST_CASE("a file that is missing, unreadable or nonsense is an occasion for hwloc, or unimportant") {
  const machine_tree machine{hybrid_desktop(2, 4, true)};
  const std::vector<int> online = machine.online();
  REQUIRE(topology::of_one_node(online, machine.root()));
  std::mt19937 random{1};
  const std::string nonsense[] = {"",
                                  "x",
                                  "-1",
                                  "5-3",
                                  "0-",
                                  ",",
                                  "0,,1",
                                  "0-99999999999999999999",
                                  "4294967295",
                                  std::string(10'000, '7'),
                                  std::string("0\0\n", 3),
                                  "0-2147483647"};
  std::vector<fs::path> files;
  for (const fs::directory_entry& e : fs::recursive_directory_iterator{machine.root()}) {
    if (e.is_regular_file()) files.push_back(e.path());
  }
  std::sort(files.begin(), files.end());
  int failures = 0, others = 0;
  const auto read = [&] {
    const std::optional<topology> t = topology::of_one_node(online, machine.root());
    ++(t ? others : failures);
    CHECK((!t || t->processors() == online.size()));
    if (t) static_cast<void>(t->victim_weights(t->places(t->processors()), 0));
  };
  for (const fs::path& file : files) {
    CAPTURE(file.string());
    std::string text;
    std::getline(std::ifstream{file}, text);
    for (const std::string& n : nonsense) {
      std::ofstream{file} << n;
      read();
    }
    fs::remove(file);
    read();
    fs::create_directory(file);  // opens, but cannot be read
    read();
    fs::remove(file);
    std::ofstream{file} << text << '\n';
  }
  CHECK(failures > 100);
  CHECK(others > 100);
  CHECK(topology::of_one_node(online, machine.root()));
}
