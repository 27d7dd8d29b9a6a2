// What tine needs of the compiler's language. The doors include this header first, so that a program with other options gets one
// sentence before all other errors.
#pragma once

#if __cplusplus < 202002L
#error "tine needs C++20: compile with -std=c++20 or later."
#endif
#if !defined(__cpp_exceptions)
#error "tine needs exceptions: compile without -fno-exceptions. A branch that throws ends its fork with the exception."
#endif
