// The doors include this header first: a program with options that tine cannot work with gets one sentence before all
// other errors.
#pragma once

#if __cplusplus < 202002L
#error "tine needs C++20: compile with -std=c++20 or later."
#endif
#if !defined(__cpp_exceptions)
#error "tine needs exceptions: compile without -fno-exceptions. A branch that throws ends its fork with the exception."
#endif

namespace tine::base {

/// The least value of __cplusplus with which tine compiles.
inline constexpr long least_language = 202002L;

}  // namespace tine::base
