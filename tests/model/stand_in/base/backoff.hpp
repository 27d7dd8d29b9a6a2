// Stands for src/base/backoff.hpp in models: each turn lets the others run.
#pragma once

#include "model/exploration.hpp"

namespace tine::base {

struct backoff {
  void once() noexcept { rl::yield(1, RL_INFO); }
};

}  // namespace tine::base
