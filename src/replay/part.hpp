// Copies of schedules without the parts that are no longer needed: for merging and for pruning.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tine::detail {

/// The steps and pieces of a schedule, perhaps changed, and marks for the steps and pieces that a copy has to keep for
/// their own owners. The joins of unmarked steps have no owner.
struct kept_parts {
  std::span<const schedule::step> steps;
  std::span<const schedule::piece> pieces;
  std::vector<bool> keeps_step;   ///< by the index of a step
  std::vector<bool> keeps_piece;  ///< by the index of a piece
};

/// Returns a schedule with the parts of `s` that are kept and everything around them, in the same order. A node, a step
/// or a piece in which nothing is kept is left out; only the root stays in any case.
schedule part_of(const schedule& s, const kept_parts& parts);

}  // namespace tine::detail
