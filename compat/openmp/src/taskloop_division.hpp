// How the iterations of a taskloop become tasks. Plain values.
#pragma once

#include "task.hpp"

#include <algorithm>
#include <cstdint>

namespace tine::openmp {

/// The iterations of a taskloop are divided evenly, so the first tasks may have one more than the last ones.
struct taskloop_division {
  std::uint64_t tasks, each, more;

  std::uint64_t length(std::uint64_t task) const noexcept { return each + (task < more ? 1 : 0); }
};

inline taskloop_division divide_taskloop(std::uint64_t iterations, unsigned flags, std::uint64_t clause,
                                         unsigned team_size) noexcept {
  if ((flags & flag_grainsize) == 0) {
    const std::uint64_t tasks = std::clamp<std::uint64_t>(clause == 0 ? team_size : clause, 1, iterations);
    return {tasks, iterations / tasks, iterations % tasks};
  }
  const std::uint64_t grain = std::clamp<std::uint64_t>(clause, 1, iterations);
  if ((flags & flag_strict) != 0) return {(iterations - 1) / grain + 1, grain, 0};
  const std::uint64_t tasks = iterations / grain;
  return {tasks, iterations / tasks, iterations % tasks};
}

}  // namespace tine::openmp
