// The phases of a profile: their names and how they nest, and for threads outside of pools the phase that is open and
// the time spent in it. Thread-safe.
#pragma once

#include "trace/profile.hpp"

#include <tine/base/ticks.hpp>
#include <tine/detail/sched/phase_hooks.hpp>

#include <cstdint>
#include <memory>

namespace tine::detail {

/// The number of the phase that stands for strands in several phases.
inline constexpr std::uint32_t several_phases = 0;

/// The most phases of a profile. Further ones count for the phase around them.
inline constexpr std::uint32_t most_phases = 1000;

/// Returns the number for a leaf that has strands of both phases.
constexpr std::uint32_t phase_of_both(std::uint32_t a, std::uint32_t b) noexcept { return a == b ? a : several_phases; }

/// Returns the number of the phase `name` inside of the phase `around`. It is `around` itself if a phase of that name
/// is already open, or if there are too many phases.
std::uint32_t number_of_phase(const char* name, std::uint32_t around);

/// The phase that is open on a thread, outside of pools.
struct thread_phase {
  std::uint32_t now = trace::nothing;
  bool is_in_root = false;  ///< the thread has called into a pool, so its time is that of a root
  base::ticks since = 0;    ///< otherwise: until then the time was added to the phase
};

/// The phase in which a thread calls into a pool, for the time of the call.
class phase_of_call {
 public:
  /// Called on the thread when the root begins.
  phase_of_call();
  /// Called when the root has ended, on any thread.
  ~phase_of_call();
  phase_of_call(const phase_of_call&) = delete;
  phase_of_call& operator=(const phase_of_call&) = delete;
  std::uint32_t number() const noexcept { return number_; }

 private:
  std::shared_ptr<thread_phase> of_;  // null: no phase was open, or the thread runs a root for others
  std::uint32_t number_ = trace::nothing;
};

/// The profiler's part of `tine::phase` (include/tine/detail/sched/phase_hooks.hpp).
std::uint32_t open_phase(const char* name) noexcept;
void close_phase(std::uint32_t around) noexcept;

/// Adds all phases to the profile.
void merge_phases(trace::profile& into);

/// Call `lock_phases` and `unlock_phases` around fork(), and `forget_phases` in the forked process, which has only the
/// calling thread.
void lock_phases() noexcept;
void unlock_phases() noexcept;
void forget_phases() noexcept;

}  // namespace tine::detail
