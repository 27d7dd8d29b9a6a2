// The place of an access: the return address of the function that the compiler or the program calls. Thread-safe.
#pragma once

#include <tine/detail/base/macros.hpp>
#include <tine/detail/base/object_at.hpp>

#include <cstdint>

namespace tine::detail {

/// Returns the return address of the function into which this one is inlined.
TINE_ALWAYS_INLINE std::uintptr_t called_from() noexcept { return base::to_word(__builtin_return_address(0)); }

}  // namespace tine::detail
