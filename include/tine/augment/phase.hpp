// phase: names what the program is doing, for its profile. The strand that makes one ends it.
#pragma once

#include <tine/detail/base/macros.hpp>

#include <cstdint>

namespace tine {

/// While the object lives, the forks and loops of the running strand belong to the phase `name` in a profile
/// (TINE_PROFILE with `grain`), and the report shows their points in the phase's colour. A phase costs a lookup in a
/// profiled program and a test otherwise. End it on the strand, and in the call, that made it. `name` is copied.
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
