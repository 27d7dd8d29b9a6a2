// The models have no garbage collector, so no thread is announced and no context is listed.
#pragma once

#include "sched/fiber.hpp"

namespace tine::sched {

struct left_context {
  explicit left_context(context&) noexcept {}
};

inline void announce_thread() noexcept {}

}  // namespace tine::sched
