// Messages on standard error, and how tine ends a program: one message, then the listener, then abort. Any thread may
// call these functions, also in a signal handler, so they use only write(2).
#include "base/end_listener.hpp"

#include <tine/detail/base/assert.hpp>
#include <tine/detail/base/result.hpp>

#include <unistd.h>
#include <cstdlib>
#include <cstring>

namespace tine::base {

constinit atomic<end_listener_function> end_listener{nullptr};

namespace {

[[noreturn]] void end() noexcept {
  // exchange: if the listener itself ends the program, it isn't called again. relaxed: set before main
  if (const end_listener_function listener = end_listener.exchange(nullptr, relaxed)) listener();
  std::abort();
}

void say(const char* text) noexcept {
  std::size_t left = std::strlen(text);
  while (left != 0) {
    const ssize_t n = ::write(STDERR_FILENO, text, left);
    if (n <= 0) return;
    text += n;
    left -= static_cast<std::size_t>(n);
  }
}

}  // namespace

void warn(const char* message) noexcept {
  say("tine: ");
  say(message);
  say("\n");
}

void fatal(const char* message) noexcept {
  warn(message);
  end();
}

void assertion_failed(const char* claim, const char* file, int line) noexcept {
  char digits[12];
  char* d = digits + sizeof digits;
  *--d = '\0';
  for (int n = line; n != 0; n /= 10) *--d = static_cast<char>('0' + n % 10);
  say("tine: internal claim failed: ");
  say(claim);
  say(" at ");
  say(file);
  say(":");
  say(d);
  say("\n");
  end();
}

}  // namespace tine::base

std::exception_ptr tine::detail::caught_exception() noexcept {
  std::exception_ptr e = std::current_exception();
  if (e == nullptr) {
    base::fatal(
        "pthread_exit, a cancellation (pthread_cancel) or an exception of another language leaves a branch or a root: a thread may end only outside of tine::run, and branches end by a return or an exception of C++. pthread_setcancelstate keeps cancellations out.");
  }
  return e;
}
