// The doors include this header first. A program with options that tine cannot work with gets one sentence before all
// other errors.
#pragma once

#include <version>  // the macros that tell which standard library this is

#if __cplusplus < 202002L
#error "tine needs C++20: compile with -std=c++20 or later."
#endif
#if !defined(__cpp_exceptions)
#error "tine needs exceptions: compile without -fno-exceptions. A branch that throws ends its fork with the exception."
#endif

#if defined(__clang__) && __clang_major__ < 16
#error \
    "tine needs clang 16 or later: an older one does not compile its concepts and coroutines. g++ 12 or later will do, too."
#elif !defined(__clang__) && defined(__GNUC__) && __GNUC__ < 12
#error "tine needs g++ 12 or later: an older one does not compile its coroutines. clang 16 or later will do, too."
#endif
#if defined(_LIBCPP_VERSION)
#error \
    "tine is built with libstdc++, whose exceptions pass through it, and this is libc++: compile without -stdlib=libc++."
#endif
#if defined(__has_feature)
#if __has_feature(safe_stack)
#error \
    "tine changes stacks, and SafeStack keeps a second one that does not change with them: compile without -fsanitize=safe-stack."
#endif
#endif

namespace tine::base {

/// The least value of __cplusplus with which tine compiles.
inline constexpr long least_language = 202002L;

}  // namespace tine::base
