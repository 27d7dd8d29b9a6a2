// Copies of schedules without the parts that are no longer needed, for merging and pruning. Plain functions of values.
#pragma once

#include <tine/replay/schedule.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tine::detail {

/// The steps and pieces of a schedule, perhaps changed, with marks for those that a copy has to keep for the sake of
/// their own owners. The joins of unmarked steps have no owner.
struct kept_parts {
  std::span<const schedule::step> steps;
  std::span<const schedule::piece> pieces;
  std::vector<bool> keeps_step;   ///< by the index of a step
  std::vector<bool> keeps_piece;  ///< by the index of a piece
};

/// Returns a schedule with the kept parts of `s` and everything around them, in the same order. It leaves out nodes,
/// steps and pieces in which nothing is kept, except for the root. A run stays behind any other step that stays.
/// The strands have stamps in an order in which they can start.
schedule part_of(const schedule& s, const kept_parts& parts);

}  // namespace tine::detail
