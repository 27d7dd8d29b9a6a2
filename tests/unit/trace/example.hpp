// A small profile with something in every list, all values different from each other and from what they are by default.
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
           .threshold = 1000};
  p.modules = {{"/bin/fib", "0badcafe", 0x400000, 0x500000, 0x400000},
               {"libc.so", "", 0x7F0000000000, 0x7F0000100000, 7}};
  p.sites = {{0x401000, construct::fork, 10, 11, 12, 13, 14},
             {0x401010, construct::loop, 20, 21, 22, 23, -24},
             {0x401020, construct::coroutine_fork, 30, 31, 32, 33, 34}};
  p.paths = {{nothing, nothing, 40, 41}, {0, 0, 42, 43}, {1, 1, 44, 45}, {1, 2, 46, 47}};
  p.phases = {"build", "", "query"};
  p.roots = {{50, 51, 52, {53, 54, 55, 56, 57, 58, 59}, true}, {60, 61, 62, {63, 64, 65, 66, 67, 68, 69}, false}};
  p.points = {{0, 2, 70, 71, 72}, {1, nothing, 73, 74, 75}};
  p.space = {{80, 81, -82, 83, 84, 85}};
  using enum node::shape;
  p.nodes = {{series, 2, nothing, 90, 91, 92}, {leaf, 0, 0, 93, 94, 95}, {parallel, 2, 1, 96, 97, 98},
             {leaf, 0, 2, 99, 1, 2},           {loop, 0, 1, 3, 4, 5},    {leaf, 0, nothing, 6, 7, 8}};
  return p;
}

/// A path for a file of this test process, which is removed at the end.
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
