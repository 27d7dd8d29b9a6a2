// Messages of the OpenMP library on standard error. Any thread may call these functions.
#pragma once

namespace tine::openmp {

/// Prints a message, formatted as by printf.
[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...) noexcept;

/// Prints a message and ends the program with exit code 1, without its exit handlers: other workers still run.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char* format, ...) noexcept;

}  // namespace tine::openmp
