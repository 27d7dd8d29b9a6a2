// Made-up machines: the files of /sys and /proc that describe them, below a temporary folder. For test programs only.
#pragma once

#include "unit/run_child.hpp"

#include <unistd.h>
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tine::test {

/// A processor; processors with equal numbers share what the number stands for. -1: the system doesn't tell.
struct made_up_processor {
  int core = 0;
  int package = 0;
  int die = -1;
  int cluster = -1;
  std::vector<int> caches = {};  ///< index0, index1, …
  int capacity = 0;              ///< as Linux states it on ARM and on hybrid x86; 0: not at all
  int kilohertz = 0;             ///< the highest frequency
  int base_kilohertz = 0;
  bool online = true;
  int core_id = -1;  ///< -1: the number of the core
};

class machine_tree {
 public:
  using processors = std::vector<made_up_processor>;

  explicit machine_tree(processors has) : has_{std::move(has)} {
    // Some thousand files are written faster where no disk is.
    root_ = std::string{access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"} + "/tine-machine-XXXXXX";
    REQUIRE(mkdtemp(root_.data()) != nullptr);
    write("node/online", "0");
    const std::vector<int> online = those([](const made_up_processor& p) { return p.online; });
    write("cpu/online", list_of(online));
    for (const char* file : {"cpu/possible", "cpu/present"}) write(file, "0-" + std::to_string(has_.size() - 1));
    write("node/node0/cpumap", mask_of(online));
    std::string cpuinfo;
    for (std::size_t i = 0; i < has_.size(); ++i) {
      write_processor(i);
      if (has_[i].online) cpuinfo += "processor\t: " + std::to_string(i) + "\n\n";
    }
    write_below(root_ + "/proc/cpuinfo", cpuinfo);
  }
  ~machine_tree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  machine_tree(const machine_tree&) = delete;
  machine_tree& operator=(const machine_tree&) = delete;

  const std::string& root() const { return root_; }
  std::vector<int> online() const {
    return those([](const made_up_processor& p) { return p.online; });
  }

  /// The path of a file in /sys/devices/system.
  std::string path(const std::string& file) const { return root_ + "/sys/devices/system/" + file; }
  void write(const std::string& file, const std::string& text) const { write_below(path(file), text); }

  /// Returns the result of `check` in a process for which hwloc describes this machine.
  template <class Check>
  bool holds(Check check) const {
    return holds_in_child([&] {
      setenv("HWLOC_FSROOT", root_.c_str(), 1);
      setenv("HWLOC_COMPONENTS", "linux,stop", 1);
      return check();
    });
  }

 private:
  template <class Is>
  std::vector<int> those(Is is) const {
    std::vector<int> result;
    for (std::size_t i = 0; i < has_.size(); ++i) {
      if (is(has_[i])) result.push_back(static_cast<int>(i));
    }
    return result;
  }

  static std::string list_of(const std::vector<int>& numbers) {
    std::string list;
    for (std::size_t i = 0; i < numbers.size();) {
      std::size_t last = i;
      while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
      list += (list.empty() ? "" : ",") + std::to_string(numbers[i]);
      if (last != i) list += "-" + std::to_string(numbers[last]);
      i = last + 1;
    }
    return list;
  }

  static std::string mask_of(const std::vector<int>& numbers) {
    std::vector<unsigned> words(numbers.empty() ? 1 : static_cast<std::size_t>(numbers.back()) / 32 + 1);
    for (const int n : numbers) words[static_cast<std::size_t>(n) / 32] |= 1U << (n % 32);
    std::string mask;
    for (std::size_t w = words.size(); w-- > 0;) {
      char text[10];
      std::snprintf(text, sizeof text, "%08x", words[w]);
      mask += (mask.empty() ? "" : ",") + std::string{text};
    }
    return mask;
  }

  static void write_below(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path{path}.parent_path());
    std::ofstream{path} << text << '\n';
  }

  /// Writes the processors that share something with processor i in both forms, a mask and a list.
  template <class Number>
  void write_sharers(std::size_t i, const std::string& mask, const std::string& list, Number number) const {
    const int mine = number(has_[i]);
    if (mine < 0) return;
    const auto sharers = those([&](const made_up_processor& p) { return p.online && number(p) == mine; });
    write(mask, mask_of(sharers));
    write(list, list_of(sharers));
  }

  void write_processor(std::size_t i) const {
    const made_up_processor& p = has_[i];
    const std::string here = "cpu/cpu" + std::to_string(i);
    if (!p.online) return write(here + "/online", "0");
    const std::string topology = here + "/topology/";
    write(topology + "core_id", std::to_string(p.core_id < 0 ? p.core : p.core_id));
    write(topology + "physical_package_id", std::to_string(p.package));
    const auto core = [](const made_up_processor& q) { return q.core; };
    const auto package = [](const made_up_processor& q) { return q.package; };
    write_sharers(i, topology + "core_cpus", topology + "core_cpus_list", core);
    write_sharers(i, topology + "thread_siblings", topology + "thread_siblings_list", core);
    write_sharers(i, topology + "package_cpus", topology + "package_cpus_list", package);
    write_sharers(i, topology + "core_siblings", topology + "core_siblings_list", package);
    write_sharers(i, topology + "die_cpus", topology + "die_cpus_list",
                  [](const made_up_processor& q) { return q.die; });
    write_sharers(i, topology + "cluster_cpus", topology + "cluster_cpus_list",
                  [](const made_up_processor& q) { return q.cluster; });
    for (std::size_t c = 0; c < p.caches.size(); ++c) {
      const std::string cache = here + "/cache/index" + std::to_string(c) + "/";
      write(cache + "level", std::to_string(c < 2 ? 1 : c));
      write(cache + "type", c == 0 ? "Data" : c == 1 ? "Instruction" : "Unified");
      write(cache + "size", "1024K");
      write_sharers(i, cache + "shared_cpu_map", cache + "shared_cpu_list",
                    [c](const made_up_processor& q) { return c < q.caches.size() ? q.caches[c] : -1; });
    }
    if (p.capacity != 0) write(here + "/cpu_capacity", std::to_string(p.capacity));
    if (p.kilohertz != 0) write(here + "/cpufreq/cpuinfo_max_freq", std::to_string(p.kilohertz));
    if (p.base_kilohertz != 0) write(here + "/cpufreq/base_frequency", std::to_string(p.base_kilohertz));
  }

  processors has_;
  std::string root_;
};

}  // namespace tine::test
