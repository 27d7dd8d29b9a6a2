// Fork paths as the stacks of a profile, for all formats of flame graphs.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>
#include <vector>

namespace tine::cli {

/// The largest number of frames of a stack. Only the outer part of a deeper recursion is kept; otherwise the files
/// would grow with the square of its depth.
inline constexpr std::size_t most_frames = 500;
/// Returns the sites from the root to the path.
std::vector<std::uint32_t> stack_of(const std::vector<trace::path>& paths, std::uint32_t path);

/// Returns for each path where its stack ends after cutting: the path itself, or the path above it that has
/// `most_frames` frames. Takes linear time.
std::vector<std::uint32_t> cut_paths(const std::vector<trace::path>& paths);

/// Work and counts by cut path. The figures of a path that was cut off are added to the path at which it was cut.
struct stack_totals {
  std::vector<std::uint64_t> work, count;
};
stack_totals totals_of_stacks(const std::vector<trace::path>& paths);

}  // namespace tine::cli
