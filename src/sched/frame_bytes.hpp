// Reports of the memory that the frames and scratch arrays of coroutines take. The front end of coroutines reports it
// and an analysis listens; the scheduler only holds the address of the listener.
//
// Written once, by the analysis, before the first frame that counts; read by the slow paths of segmented stacks.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::sched {

/// Called when the running strand holds `bytes` more bytes, which begin at `where`; or fewer bytes if `bytes` is
/// negative, and then `where` is null. It runs on the strand's thread and must not throw.
using frame_listener = void (*)(const void* where, std::int64_t bytes) noexcept;

/// The listener. Null: no analysis listens, and a frame has no additional cost.
TINE_API inline constinit base::atomic<frame_listener> frame_bytes_listener{nullptr};

/// Reports the bytes that the running strand has released since the last report. A release alone does not cause a
/// report, so an analysis calls this function at the end of each of its strands. Does nothing without a listener.
/// (src/coro/segmented_stack.cpp)
TINE_API void report_released_frames() noexcept;

}  // namespace tine::sched
