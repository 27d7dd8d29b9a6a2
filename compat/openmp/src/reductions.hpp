// Reductions over tasks. The compiler passes data that describe the variables of a construct. We allocate private
// copies of them for each thread of the team, and find a task's copy by its thread number. A strand calls these
// functions for its own task.
#pragma once

#include "team.hpp"

#include <cstddef>
#include <cstdint>

namespace tine::openmp {

/// The words of the data, as gcc lays them out.
namespace reduction_data {
enum word : unsigned {
  variables = 0,  ///< their number
  bytes = 1,      ///< of the copies for one thread
  copies = 2,     ///< at first their alignment
  next = 4,       ///< the next data of this construct, and after the last one those of the constructs around it
  is_head = 5,    ///< not 0 in the first data of a construct
  end = 6,        ///< of the copies
  list = 7,       ///< three words a variable: its address, its place in the copies, and one that is ours
};
}  // namespace reduction_data

/// Allocates the copies for `threads` threads. `outer`: the data of the reductions around it.
void register_reductions(std::uintptr_t* data, std::uintptr_t* outer, unsigned threads);
/// Frees the copies.
void unregister_reductions(std::uintptr_t* data) noexcept;

/// A construct shared by the team, with task reductions: starts a group in the member. The copies are those of the
/// first member that came.
void start_shared_reductions(member& me, workshare& at, bool is_first, std::uintptr_t* data);
void end_shared_reductions(member& me, bool is_cancelled);

/// Replaces the first `count` addresses by those of the current task's copies. Behind them it stores the addresses of
/// the original variables of the first `originals` ones.
void find_copies(std::size_t count, std::size_t originals, void** addresses);

}  // namespace tine::openmp
