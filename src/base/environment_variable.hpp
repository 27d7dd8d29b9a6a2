// Variables of the environment. A variable that is empty counts as one that is not set, as it does for OpenMP and for
// the tools of POSIX: `TINE_NUM_THREADS= ./app` runs with the default.
#pragma once

#include <cstdlib>

namespace tine::base {

/// Returns the value of the variable, or null if it is not set or empty. It is not thread-safe beside setenv(3).
inline const char* environment_variable(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace tine::base
