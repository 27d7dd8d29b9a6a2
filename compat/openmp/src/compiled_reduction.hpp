// Reductions over tasks as clang describes them: functions that start, combine and end a copy. We keep the copies in
// data as gcc lays them out, so both compilers' tasks find them (reductions.hpp). A strand calls these functions for
// its own task.
#pragma once

#include "compiled_task.hpp"
#include "reductions.hpp"

#include <vector>

namespace tine::openmp {

/// A variable of a reduction.
struct compiled_reduction {
  void* shared;
  void* original;  ///< which `start` may read; null: `shared`
  std::size_t bytes;
  void (*start)(void* copy, void* original);  ///< null: a copy starts as zero
  void (*end)(void* copy);
  void (*combine)(void* into, void* copy);
  u4 flags;
};
/// Before clang 9 there was no original.
struct compiled_reduction_4 {
  void* shared;
  std::size_t bytes;
  void (*start)(void* copy, void* original);
  void (*end)(void* copy);
  void (*combine)(void* into, void* copy);
  u4 flags;
};
std::vector<compiled_reduction> with_originals(i4 count, const compiled_reduction_4* list);

/// Adds reductions to the taskgroup that the current task has started last. Returns the group.
taskgroup* reduce_in_group(i4 count, const compiled_reduction* list);
/// Starts a taskgroup in each member. All share the copies.
taskgroup* reduce_in_team(i4 count, const compiled_reduction* list);
/// Ends a group. Combines the copies; if members share them, in the member that ends last.
void end_group_with_reductions(task& me);

}  // namespace tine::openmp
