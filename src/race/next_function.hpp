// The function of the C library that a function of the detector stands in front of.
#pragma once

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/object_at.hpp>

#include <dlfcn.h>

namespace tine::detail {

/// Returns the next definition of the function with this name. Ends the program if there is none, as in a static
/// executable.
template <class Function>
Function* next_function(const char* name) noexcept {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr)
    base::fatal("the race detector needs the shared C library: do not link the program with -static.");
  return base::function_at<Function>(found);
}

}  // namespace tine::detail
