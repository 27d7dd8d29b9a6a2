// Statuses: the functions of the C interface return them, and callbacks return them to these functions. Any thread may
// call everything here.
#pragma once

#include <tine/detail/base/macros.hpp>

#ifdef __cplusplus
extern "C" {
#endif

/// The numbers that functions of the C interface return. Negative ones are tine's, and positive ones are those that
/// your callbacks returned. A later version may add negative numbers.
enum tine_status {
  tine_ok = 0,  ///< success
  /// the calling strand is to stop, by a stop source or because a branch before it failed; return it to your caller
  tine_stopped = -1,
  tine_invalid_argument = -2,  ///< a null pointer, a negative number, or a bad option: nothing has run
  tine_wrong_state = -3,       ///< the call isn't possible here or now: nothing has run
  tine_out_of_memory = -4,     ///< memory was exhausted, here or in a callback in C++
  tine_exception = -5,         ///< a callback in C++ has thrown an exception, whose text tine_last_message returns
};

/// A callback: gets the pointer that came with it. It returns 0; to fail, a positive number of your own; or what a
/// function of tine returned to it. So a callback that forks ends with `return tine_par2(...)`.
///
/// A callback may be written in C++ and throw. If it ends its thread (pthread_exit, pthread_cancel), the program ends
/// with a message. It must not jump out by longjmp, nor let a panic or an exception of another language out: the
/// program's behaviour is undefined then.
typedef int (*tine_function)(void* data);

/// Returns a short text in English for a status: a constant, never null.
TINE_API const char* tine_status_text(int status);

/// Returns the message of the last function of tine that failed on the calling thread: what was wrong, and what to do.
/// It has at most 255 bytes, and is empty if none has failed. The text stays as it is until another function fails on
/// this thread.
TINE_API const char* tine_last_message(void);

/// Returns the version of the library as a text, e.g. "0.3.0".
TINE_API const char* tine_version(void);

#ifdef __cplusplus
}
#endif
