// The state of a running program: a thread pool, as in Spork, Figure 2.
//
// The paper's pool is a binary tree, R_p ∧ R_c, whose left spine ends in a thread and whose right branches are that thread's
// children, the oldest the outermost. Here a thread has the list of its children instead, oldest first: the same tree.
#pragma once

#include "spork/heap.hpp"

#include <vector>

namespace tine::spork {

/// ⟨f, ρ, 𝒳, b_ret⟩, and where in f control is.
struct frame {
  function_id in = none;
  block_id at = 0;
  std::uint32_t next = 0;           ///< statement of the block, or its transfer if there are no more
  std::vector<value> temporaries;   ///< 𝒳
  std::vector<const spork*> deque;  ///< ρ: the sporks open in this frame, oldest first
  std::uint32_t promoted = 0;       ///< how many of them are promoted: π̄ before the colon, ῡ behind it
  block_id then = none;             ///< b_ret; none in the newest frame
};

using thread_id = std::uint32_t;  ///< index into pool::threads

/// 𝒦 ◇ C.
struct thread {
  std::vector<frame> stack;         ///< oldest first; empty: no thread, the place is free
  std::vector<thread_id> children;  ///< those it spawned and has not joined, oldest first
  thread_id parent = none;
  /// No frame below this one has an unpromoted spork: where the search for the oldest begins. Frames below the newest open none, so
  /// only a spork of the newest frame lowers it.
  mutable std::size_t oldest_offer = 0;
  bool begun = false;  ///< a worker has taken it; before that its parent may take it back
};

struct pool {
  std::vector<thread> threads;  ///< the first is the root
  std::vector<thread_id> free;  ///< places in it without a thread: a heap, the lowest first
  heap memory;
  std::size_t registers = 0;  ///< temporaries in all frames
};

/// Something that a pool may do.
struct action {
  thread_id by = 0;
  bool promotes = false;  ///< the rule PROMOTE; else the rule for what the thread is to do next

  bool operator==(const action&) const = default;
};

}  // namespace tine::spork
