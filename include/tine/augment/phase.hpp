// phase: a name for what the program is doing, in its profile.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine {

/// While the object lives, the forks and loops of the running strand belong to the phase `name` in a profile
/// (TINE_PROFILE with `grain`): their points in the report have the phase's colour. A phase costs a lookup when the
/// program is profiled, and a test when it is not. It must end on the strand, and in the call, that began it. `name` is
/// copied.
class phase {
 public:
  TINE_API explicit phase(const char* name) noexcept;
  TINE_API ~phase();
  phase(const phase&) = delete;
  phase& operator=(const phase&) = delete;

 private:
  std::uint32_t before_;
};

}  // namespace tine
