// The reports of locks, in place of the product's: there is no lock checker.
#pragma once

#include <tine/detail/sched/lock_event.hpp>

namespace tine::detail {

inline constexpr lock_listener registered_lock_listener = nullptr;

inline bool are_locks_followed() noexcept { return registered_lock_listener != nullptr; }
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
