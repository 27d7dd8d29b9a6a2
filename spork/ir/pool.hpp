// The state of a running program: a thread pool, as in Spork, Figure 2.
//
// The paper's pool is a binary tree, R_p ∧ R_c, whose left spine ends in a thread and whose right branches are that
// thread's children, the oldest outermost. Here a thread has the list of its children instead, oldest first, which
// describes the same tree.
#pragma once

#include "ir/heap.hpp"

#include <string>
#include <vector>

namespace tine::spork {

/// A frame, ⟨f, ρ, 𝒳, b_ret⟩, with the position of control in f.
struct frame {
  function_id in = none;
  block_id at = 0;
  std::uint32_t next = 0;           ///< next statement of the block, or its transfer if no statements are left
  std::vector<value> temporaries;   ///< 𝒳
  std::vector<const spork*> deque;  ///< ρ: the sporks open in this frame, oldest first
  std::uint32_t promoted = 0;       ///< how many sporks of the deque are promoted: π̄ before the colon, ῡ behind it
  block_id then = none;             ///< b_ret; none in the newest frame
};

using thread_id = std::uint32_t;  ///< index into pool::threads

/// A thread, 𝒦 ◇ C.
struct thread {
  std::vector<frame> stack;         ///< oldest first; empty: no thread, the place is free
  std::vector<thread_id> children;  ///< threads that it spawned and has not joined, oldest first
  thread_id parent = none;
  /// The frame at which the search for the oldest unpromoted spork begins: no frame below it has one. Frames below the
  /// newest open no sporks, so only a spork of the newest frame lowers it.
  mutable std::size_t oldest_offer = 0;
  bool begun = false;  ///< a worker has taken it; before that its parent may reclaim it
};

struct pool {
  std::vector<thread> threads;  ///< the first is the root
  std::vector<thread_id> free;  ///< places of `threads` without a thread: a heap, the lowest first
  heap memory;
  std::size_t registers = 0;  ///< temporaries in all frames
  std::string output;         ///< what the threads have printed
};

/// A step that a pool may make.
struct action {
  thread_id by = 0;
  bool promotes = false;  ///< by the rule PROMOTE; else by the rule for the thread's next step

  bool operator==(const action&) const = default;
};

}  // namespace tine::spork
