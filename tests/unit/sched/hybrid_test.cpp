// Machines with cores of several kinds, as made-up /sys trees that hwloc reads.
#include "sched/circumstances.hpp"
#include "sched/topology.hpp"
#include "unit/run_child.hpp"

#include <unistd.h>
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using tine::sched::topology;

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

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream{file} << text << '\n';
}

std::string mask_of(int first, int count) {
  char text[20];
  std::snprintf(text, sizeof text, "%08lx", ((1UL << count) - 1) << first);
  return text;
}

/// A folder with the files of /sys and /proc that describe such a machine.
class tree {
 public:
  explicit tree(const std::vector<cores>& has) {
    char folder[] = "/tmp/tine-hybrid-XXXXXX";
    REQUIRE(mkdtemp(folder) != nullptr);
    root_ = folder;
    int total = 0, core = 0, at = 0;
    for (const cores& c : has) total += c.count * c.threads;
    const fs::path system = root_ / "sys/devices/system";
    for (const char* list : {"online", "possible", "present"})
      write(system / "cpu" / list, "0-" + std::to_string(total - 1));
    write(system / "node/online", "0");
    write(system / "node/node0/cpumap", mask_of(0, total));
    std::string processors;
    for (const cores& c : has) {
      for (int i = 0; i < c.count; ++i, ++core, at += c.threads) {
        for (int p = at; p < at + c.threads; ++p) {
          const fs::path here = system / "cpu" / ("cpu" + std::to_string(p));
          write(here / "topology/core_id", std::to_string(core));
          write(here / "topology/physical_package_id", "0");
          for (const char* list : {"thread_siblings", "core_cpus"})
            write(here / "topology" / list, mask_of(at, c.threads));
          for (const char* list : {"core_siblings", "package_cpus"}) write(here / "topology" / list, mask_of(0, total));
          if (c.capacity != 0) write(here / "cpu_capacity", std::to_string(c.capacity));
          if (c.kilohertz != 0) write(here / "cpufreq/cpuinfo_max_freq", std::to_string(c.kilohertz));
          processors += "processor\t: " + std::to_string(p) + "\n\n";
        }
      }
    }
    write(root_ / "proc/cpuinfo", processors);
  }
  ~tree() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  tree(const tree&) = delete;
  tree& operator=(const tree&) = delete;

  /// Returns the result of `check` in a process whose machine this is.
  template <class Check>
  bool holds(Check check) const {
    return tine::test::holds_in_child([&] {
      setenv("HWLOC_FSROOT", root_.c_str(), 1);
      setenv("HWLOC_COMPONENTS", "linux,stop", 1);
      return check();
    });
  }

 private:
  fs::path root_;
};

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
    const tree machine{e.has};
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
  const tree machine{{{24, 1, 446}, {4, 1, 1024}}};
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
