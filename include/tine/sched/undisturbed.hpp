// Time in which tine sends a worker's thread no signal. Behind tine::blocking.
#pragma once

namespace tine::sched {

/// Made on a worker, inside a region in which nothing can suspend (tine::sequential). Makes what the strand has pending
/// stealable; while it lives, the pool's signal is blocked in this thread.
class undisturbed {
 public:
  undisturbed() noexcept;
  ~undisturbed();
  undisturbed(const undisturbed&) = delete;
  undisturbed& operator=(const undisturbed&) = delete;

 private:
  int blocked_;  ///< the signal to unblock at the end; 0: none, it was blocked before
};

}  // namespace tine::sched
