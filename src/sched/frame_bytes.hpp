// Somebody may want to know what memory the frames and scratch arrays of coroutines take. The front end that has them tells,
// an analysis listens; the scheduler only knows where.
//
// Written once, by the analysis, before the first frame that counts; read by the slow paths of segmented stacks.
#pragma once

#include <tine/base/atomic.hpp>

#include <cstdint>

namespace tine::sched {

/// Told that the running strand holds so many bytes more, or less if negative. On the strand's thread; must not throw.
using frame_listener = void (*)(std::int64_t bytes) noexcept;

/// Null: nobody wants to know, and a frame costs what it always does.
inline constinit base::atomic<frame_listener> told_of_frames{nullptr};

/// Tells of what the running strand has released since it was told of last. Releases are not noticed by themselves, so an
/// analysis calls this at the end of each of its strands. Nothing without a listener. (src/coro/segmented_stack.cpp)
void tell_released_frames() noexcept;

}  // namespace tine::sched
