// Names for the places of a schedule, the same in every schedule of one program.
#pragma once

#include "cli/schedule/timeline.hpp"

#include <tine/replay/schedule.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tine::cli {

/// "fork 2.1/0" is the fork with number 0 in the second branch of fork 2. "loop 2.1/7" is the loop with number 7 in the
/// same branch, and its iterations from 5 on are "2.1/7[5]".
class paths {
 public:
  explicit paths(const schedule& of);

  /// Returns "2.1/0"; for a very deep step, the last part of the path and the number of levels above that part.
  std::string of_step(std::uint32_t step) const;
  /// Returns "fork 2.1/0", "loop 2.1/7".
  std::string fork_or_loop(std::uint32_t step) const;
  /// Returns "second branch of fork 2.1/0", "iterations from 5 of loop 2.1/7".
  std::string branch(std::uint32_t piece) const;
  /// Returns the name of `branch` without the fork or loop: "second branch", "iterations from 5".
  std::string last_of_branch(std::uint32_t piece) const;

 private:
  const schedule& of_;
  std::vector<std::uint32_t> step_of_piece_, node_of_step_, piece_of_node_, level_;
};

/// Returns "region", "second branch of fork 2.1/0", "after loop 2.1/7".
std::string describe(const paths& where, const timeline::strand& what);

}  // namespace tine::cli
