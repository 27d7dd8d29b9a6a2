// Annotations for the race detector: memory and code that it should not check, and memory that an allocator of the
// program reuses. They do nothing in code that is not instrumented. Any thread may use them.
#pragma once

#include <tine/detail/base/race_branch.hpp>

#include <cstddef>

namespace tine {

/// From now on, races on these bytes are not reported, until the memory is freed or given out again. Use it for a
/// counter that may be wrong, or for memory that strands share by means of their own. Thread-safe. Takes time in
/// proportion to `bytes`.
inline void ignore_races([[maybe_unused]] const void* where, [[maybe_unused]] std::size_t bytes) noexcept {
#if TINE_RACE
  tine_race_ignore_memory(where, bytes);
#endif
}

/// A pool of memory gives these bytes to the running strand: races with their earlier uses are none. Call it in an
/// allocator of your own, as late as possible, where `malloc` would return the memory. Thread-safe. Takes time in
/// proportion to `bytes`.
///
///     void* allocate(std::size_t n) {
///       void* const block = free_list.pop_or_carve(n);
///       tine::memory_acquired(block, n);
///       return block;
///     }
inline void memory_acquired([[maybe_unused]] const void* where, [[maybe_unused]] std::size_t bytes) noexcept {
#if TINE_RACE
  tine_race_memory_acquired(where, bytes);
#endif
}

/// The running strand gives these bytes back to a pool of memory. As with `free`, a use by a parallel strand is a race.
/// Until the next `memory_acquired` they belong to the pool, whose accesses to them are not checked. Call it as early
/// as possible, before the pool writes into the memory. Thread-safe. Takes time in proportion to `bytes`.
inline void memory_released([[maybe_unused]] const void* where, [[maybe_unused]] std::size_t bytes) noexcept {
#if TINE_RACE
  tine_race_memory_released(where, bytes);
#endif
}

/// Returns `slot`, which the running strand has chosen by `tine::worker_index()`, or by the number of its thread. Until
/// it forks, joins or waits, no other strand uses the slot, so strands that use it in turn don't race on it. Memory
/// that the strand allocates meanwhile counts as part of the slot. A strand that uses the slot later without a further
/// call races.
///
///     par_for(0, n, [&](int i) { tine::own_slot(counts[tine::worker_index()]).add(i); });
template <class T>
T& own_slot(T& slot) noexcept {
#if TINE_RACE
  tine_race_choose_slot(&slot, sizeof slot);
#endif
  return slot;
}

/// As long as it lives, accesses of the running thread are not checked. Use it for code whose races are known to be
/// harmless; that code must not fork, loop or wait.
class races_ignored {
 public:
  races_ignored() noexcept {
#if TINE_RACE
    tine_race_ignore_begin();
#endif
  }
  ~races_ignored() {
#if TINE_RACE
    tine_race_ignore_end();
#endif
  }
  races_ignored(const races_ignored&) = delete;
  races_ignored& operator=(const races_ignored&) = delete;
};

}  // namespace tine
