// Fork paths as the stacks of a profile: what the formats for flame graphs have in common.
#pragma once

#include "trace/profile.hpp"

#include <cstdint>
#include <vector>

namespace tine::cli {

/// The sites from the root to the path, at most `most_frames`: of a deeper recursion only the outer part is kept, or the
/// files would grow with the square of its depth.
inline constexpr std::size_t most_frames = 500;
std::vector<std::uint32_t> stack_of(const std::vector<trace::path>& paths, std::uint32_t path);

/// Where each path's stack ends after cutting: itself, or the path above it that has `most_frames` frames. Linear.
std::vector<std::uint32_t> cut_paths(const std::vector<trace::path>& paths);

/// Work and counts by cut path; what was cut off is added to where it was cut.
struct stack_totals {
  std::vector<std::uint64_t> work, count;
};
stack_totals totals_of_stacks(const std::vector<trace::path>& paths);

}  // namespace tine::cli
