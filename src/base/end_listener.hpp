// The function that tine calls when it ends the program, between the message and the abort, on the thread that ends it.
#pragma once

#include <tine/detail/base/atomic.hpp>

namespace tine::base {

using end_listener_function = void (*)() noexcept;

/// Null: none. The function may do what a signal handler may do. The scheduler sets it before main.
extern constinit atomic<end_listener_function> end_listener;

}  // namespace tine::base
