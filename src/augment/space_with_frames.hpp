// The vertex of a profile with `space`: it also counts what coroutines hold on the stacks of their strands.
#pragma once

#include "sched/frame_bytes.hpp"

#include <tine/augment/space.hpp>
#include <tine/base/ticks.hpp>

#include <cstdint>

namespace tine::detail {

/// A frame is reported when it begins. The end of frames is reported later, but before the strand holds anything else,
/// and before the strand ends: in between the sum only falls, so no peak is missed.
class space_with_frames : public space {
 public:
  void stop(base::ticks) noexcept { sched::report_released_frames(); }
  void iteration(std::uint64_t i, std::uint64_t n) {
    sched::report_released_frames();
    space::iteration(i, n);
  }
};

}  // namespace tine::detail
