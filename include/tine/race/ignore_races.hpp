// Annotations for the race detector: memory and code that it does not check. They do nothing in code that is not
// instrumented for it.
#pragma once

#include <tine/detail/base/race_branch.hpp>

#include <cstddef>

namespace tine {

/// From now on races on these bytes are not reported, until the memory is freed or given out again: for a counter that
/// may be wrong, or for memory that strands share by means of their own. May be called on any thread. Takes time in
/// proportion to `bytes`.
inline void ignore_races([[maybe_unused]] const void* where, [[maybe_unused]] std::size_t bytes) noexcept {
#if TINE_RACE
  tine_race_ignore_memory(where, bytes);
#endif
}

/// While it lives, accesses of the running thread are not checked: for a piece of code whose races are known to be
/// harmless. The code must not fork, loop or wait.
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
