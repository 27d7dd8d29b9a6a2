// The function that is called when tine ends the program, between the message and the abort.
#pragma once

#include <tine/detail/base/atomic.hpp>

namespace tine::base {

/// Null: none. The function may do what a signal handler may do. The scheduler sets it before main.
extern constinit atomic<void (*)() noexcept> end_listener;

}  // namespace tine::base
