// The lock of the models, in place of the product's: Relacy's own lock, so that a thread may stand still while it holds
// it. The lock orders what C++ says and no more, and a use after its end is an access to freed memory.
#pragma once

#include "model/exploration.hpp"

namespace tine::base {

class mutex {
 public:
  mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  void lock() { lock_.lock(RL_INFO); }
  void unlock() { lock_.unlock(RL_INFO); }

 private:
  rl::mutex lock_;
};

}  // namespace tine::base
