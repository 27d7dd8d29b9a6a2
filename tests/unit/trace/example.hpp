// A small profile with something in every list. All values differ from each other and from their defaults.
#pragma once

#include "trace/profile.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace tine::test {

inline trace::profile example() {
  using namespace trace;
  profile p;
  p.run = {.command = "fib 30 \"\xC3\xA4\"",
           .version = "0.1.0",
           .machine = "a machine",
           .analyses = work_span | grain | space | dag,
           .workers = 2,
           .ended = ending::exception,
           .wall = 5'000'000'000,
           .fork_burden = 4001,
           .burden_is_measured = true,
           .fork_cost = 1.25,
           .profiled_fork_cost = 31.5,
           .profiled_loop_cost = 62.5,
           .threshold = 1000,
           .signal = 15,
           .asked_threshold = 500,
           .sampled = sampling::blocked,
           .sample_period = 600,
           .samples = 21,
           .unlocated = 8};
  p.modules = {{"/bin/fib", "0badcafe", 0x400000, 0x500000, 0x400000},
               {"libc.so", "", 0x7F0000000000, 0x7F0000100000, 7}};
  p.sites = {{0x401000, construct::fork, 43, 0, 12, 11, 14},
             {0x401010, construct::loop, 45, 230, 22, 21, -24},
             {0x401020, construct::coroutine_fork, 47, 0, 32, 31, 34}};
  p.callers = {{1, 0x402000}, {1, 0x402010}, {2, 0x402020}};
  p.paths = {{nothing, nothing, 40, 41, 0}, {0, 0, 42, 43, 0}, {1, 1, 44, 45, 230}, {1, 2, 46, 47, 0}};
  p.phases = {{.name = "build", .count = 2, .outside = 7}, {}, {.name = "query", .parent = 0}};
  p.roots = {{50, 51, 52, {99, 54, 95, 56, 57, 20, 110}, true, false, 3},
             {60, 61, 62, {73, 64, 65, 66, 33, 25, 120}, false, true, 4}};
  p.points = {{0, 2, 70, 71, 72, 78}, {1, nothing, 75, 76, 77, 79}};
  p.space = {{80, 81, -82, 83, 84, 85}};
  using enum node::shape;
  p.nodes = {{series, 2, nothing, 99, 95, 91}, {leaf, 0, 0, 6, 5, 4},  {parallel, 2, 1, 93, 90, 89},
             {leaf, 0, 2, 88, 87, 1},          {leaf, 0, 1, 5, 90, 3}, {leaf, 0, nothing, 73, 65, 8}};
  p.paths[1].phase = 2, p.roots[0].phase = 0, p.nodes[1].phase = 2;
  p.samples = {{0x403000, 0x403010, 0x403020, 0x403030, 11}, {0x403040, 0, 0, 0, 2}};
  p.rank = {{2, 5, 1'700'000'000'000'000'000, 130, 129, 128, 127, 126, 125, 124}};
  p.idle_periods = {{140, 12, 11}, {160, 22, 21}};
  return p;
}

/// The path of a file of this test process. The destructor removes the file.
class scratch_file {
 public:
  explicit scratch_file(const std::string& name)
      : path_{(std::filesystem::temp_directory_path() / (name + "-" + std::to_string(getpid()))).string()} {}
  ~scratch_file() { std::filesystem::remove(path_); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;

  const std::string& path() const noexcept { return path_; }

  std::string bytes() const {
    std::ifstream in{path_, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }

  void put(const std::string& bytes) const {
    std::ofstream out{path_, std::ios::binary};
    out << bytes;
  }

 private:
  std::string path_;
};

}  // namespace tine::test
