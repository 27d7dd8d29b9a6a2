// Claims that debug builds check, and the functions that print a message or end the program with one. Any thread may
// call them, also in a signal handler.
#pragma once

#include <tine/detail/base/macros.hpp>

namespace tine::base {

/// Prints "tine: <message>" to standard error and aborts. Async-signal-safe: write(2) and abort only.
[[noreturn]] TINE_API TINE_COLD void fatal(const char* message) noexcept;

/// Prints "tine: <message>" to standard error. Async-signal-safe: write(2) only.
TINE_API TINE_COLD void warn(const char* message) noexcept;

/// Reports a claim of this library that turned out to be false: prints the claim and where it stands, and aborts.
[[noreturn]] TINE_API TINE_COLD void assertion_failed(const char* claim, const char* file, int line) noexcept;

}  // namespace tine::base

#ifdef NDEBUG
#define TINE_ASSERT(claim) static_cast<void>(0)
#else
#define TINE_ASSERT(claim) ((claim) ? static_cast<void>(0) : ::tine::base::assertion_failed(#claim, __FILE__, __LINE__))
#endif
