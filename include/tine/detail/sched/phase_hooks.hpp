// How a profiler hears of the phases that a program names. Any thread may open a phase.
#pragma once

#include <tine/detail/base/atomic.hpp>
#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine::sched {

/// The events of a phase. `open` returns what `close` needs to go back to the phase around it. Both are called on the
/// strand that names the phase, or on a thread outside of all pools.
struct phase_hooks {
  std::uint32_t (*open)(const char* name) noexcept;
  void (*close)(std::uint32_t around) noexcept;
};

/// The listener; null: there is none. The profiler sets it before main, if it is linked, and takes it back when the
/// first phase finds that nothing is profiled. So the scheduler refers to no analysis.
TINE_API extern constinit base::atomic<const phase_hooks*> registered_phase_hooks;

}  // namespace tine::sched
