// The vertex of a profile with `space`: it also counts what coroutines hold on the stacks of their strands.
#pragma once

#include "sched/frame_bytes.hpp"

#include <tine/augment/space.hpp>
#include <tine/base/clock.hpp>

#include <cstdint>

namespace tine::detail {

/// A frame is told of when it begins. That frames have ended is told later, but before anything else is held, and before their
/// strand ends: in between, the sum only falls, and no peak is missed.
class space_with_frames : public space {
 public:
  void stop(base::ticks) noexcept { sched::tell_released_frames(); }
  void iteration(std::uint64_t i, std::uint64_t n) {
    sched::tell_released_frames();
    space::iteration(i, n);
  }
};

}  // namespace tine::detail
