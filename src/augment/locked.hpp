// The vertex of the lock checker: which locks a strand holds, its label, and the forks and loops around it. Only the
// strand touches it.
#pragma once

#include "augment/lock_edge.hpp"

#include <tine/augment/labels/english_hebrew.hpp>
#include <tine/detail/sched/observer.hpp>

#include <cstdint>
#include <vector>

namespace tine::detail {

/// A lock that a strand has taken. Another thread may have released it since (found_locks knows).
struct held_lock {
  lock_use use;
  const void* at;
  std::uint32_t stack;  ///< the number of the call that took it
};

/// A fork or loop around a strand.
struct lock_step {
  sched::site where;
  bool is_loop;
  std::uint64_t branch;         ///< the branch of the next outer step in which it lies
  std::vector<held_lock> held;  ///< what the strand that forked held, without the locks of outer steps
};

class locked {
 public:
  void fork(locked& left, locked& right, sched::site where);
  void join(locked& left, locked& right, sched::branch_end);
  void loop(locked& subrange, std::uint64_t n, sched::site where) const;
  void iteration(std::uint64_t i, std::uint64_t n);
  void append(locked& next, sched::branch_end);
  void join_loop(locked& subrange);

  /// Returns the locks of the strand and of the strands around it.
  std::vector<held_lock> all_held() const;

  std::uint64_t root = 0, root_began = 0;
  labels::english_hebrew label;
  labels::shared_path<lock_step> around;
  std::uint64_t branch = 0;  ///< the branch of the innermost step
  std::vector<held_lock> held;

 private:
  void begin_below(locked& child, const labels::shared_path<lock_step>& steps, std::uint64_t b, std::uint64_t n) const;
  void take_from(locked& ended, sched::site where);

  sched::site at_ = 0;  ///< of the fork; in a subrange: of the loop
  bool has_outer_ = false;
  mutable bool is_loop_noted_ = false;  ///< the strand of the loop prepares the first subrange, before all others
};

}  // namespace tine::detail
