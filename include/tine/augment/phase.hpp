// phase: a name for what the program is doing, in its profile.
#pragma once

#include <cstdint>

namespace tine {

/// While it lives, what the running strand forks belongs to the phase `name` in a profile (TINE_PROFILE with `grain`): the
/// report's points carry the phase's colour. Costs a lookup when the program is profiled, and a test when it is not. A phase
/// ends on the strand, and in the call, that began it. `name` is copied.
class phase {
 public:
  explicit phase(const char* name) noexcept;
  ~phase();
  phase(const phase&) = delete;
  phase& operator=(const phase&) = delete;

 private:
  std::uint32_t before_;
};

}  // namespace tine
