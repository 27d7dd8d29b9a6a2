// The runtime's side of the allocation hook (space_hook.cpp): sets who is told of every allocation of the process.
#pragma once

#include <cstdint>

namespace tine::detail {

/// Told of each allocation and free: the usable bytes, negative when they are freed. Called on the thread that does it, by
/// malloc itself: it must not throw, may allocate (which is not told), and must not wait for a thread that may allocate. On
/// threads that are not workers, before main and after it, too.
using space_listener = void (*)(std::int64_t bytes) noexcept;

/// Whether somebody tells.
enum class space_hook {
  listening,  ///< the hook is there, and has the listener
  absent,     ///< it was not preloaded
  foreign,    ///< what was published is another process's, or not the hook's: nothing was touched
  deaf,       ///< it is there, but the program's malloc is another one, such as a sanitizer's
};

/// Makes `to` the process's listener; null for none. Safe on any thread; who was told before may be in a last call.
space_hook listen_to_space(space_listener to) noexcept;

}  // namespace tine::detail
