// What locks tell those who follow them, in place of the product's: nobody follows them.
#pragma once

#include <tine/detail/sync/lock_event.hpp>

namespace tine::detail {

inline bool are_locks_followed() noexcept { return false; }
inline void note_lock_action(lock_action, const void*, bool = false, lock_kind = lock_kind::lock,
                             const void* = nullptr) noexcept {}
struct followed_wait {
  followed_wait(const void*, lock_kind, const void*) noexcept {}
};
inline void note_lock(const void*, bool, lock_action = lock_action::taken) noexcept {}
struct unlocking {
  explicit unlocking(const void*) noexcept {}
};

}  // namespace tine::detail
