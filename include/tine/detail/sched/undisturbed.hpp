// Blocks tine's signal in a worker's thread for a time; that thread uses it. Implements tine::blocking.
#pragma once

#include <tine/detail/base/macros.hpp>

namespace tine::sched {

/// Construct it on a worker, inside a region in which nothing can suspend (tine::sequential). The constructor makes the
/// pending records of the strand stealable; while the object lives, the pool's signal is blocked in this thread.
class undisturbed {
 public:
  TINE_API undisturbed() noexcept;
  TINE_API ~undisturbed();
  undisturbed(const undisturbed&) = delete;
  undisturbed& operator=(const undisturbed&) = delete;

 private:
  int blocked_;  ///< the signal to unblock at the end; 0: none, it was blocked before
};

}  // namespace tine::sched
