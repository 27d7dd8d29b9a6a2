// The runtime's side of the allocation hook (space_hook.cpp): it sets the listener that the hook calls at every
// allocation of the process.
#pragma once

#include <cstdint>

namespace tine::detail {

/// The hook calls the listener at each allocation and free, with the usable bytes, negative when they are freed. malloc
/// itself makes the call, on the thread that allocates or frees. The listener must not throw. It may allocate (this is
/// not reported), and must not wait for a thread that may allocate. It is also called on threads that are not workers,
/// before main and after it.
using space_listener = void (*)(std::int64_t bytes) noexcept;

/// The result of the search for the hook.
enum class space_hook {
  listening,  ///< the hook is there, and has the listener
  absent,     ///< it was not preloaded
  foreign,    ///< the published word belongs to another process, or is not the hook's: it was not written
  bypassed,   ///< the hook is there, but the program's malloc is another one, such as a sanitizer's
};

/// Makes `to` the process's listener; null for none. Thread-safe. When it returns, the former listener may still be in
/// a last call.
space_hook listen_to_space(space_listener to) noexcept;

}  // namespace tine::detail
