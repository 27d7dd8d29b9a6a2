// Statuses and messages. Each thread has its own message.
#include "c/status_of.hpp"

#include <tine/base/version.hpp>
#include <tine/detail/base/result.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

namespace tine::detail::c {
namespace {

using message = std::array<char, message_bytes>;

/// Returns the message of the thread that runs now. Not inlined, because a strand may wait in between, and continue on
/// another thread.
TINE_NOINLINE message& message_here() noexcept {
  static thread_local message text{};
  asm volatile("" ::: "memory");  // otherwise the compiler might make one call of two
  return text;
}

void copy(const char* from, message& to) noexcept {
  const std::size_t length = std::min(std::strlen(from), message_bytes - 1);
  std::memmove(to.data(), from, length);
  to[length] = '\0';
}

int keep(int status, const char* text) noexcept {
  copy(text, message_here());
  return status;
}

}  // namespace

failure::failure(int status, const char* text) noexcept : status_{status} { copy(text, message_); }

void fail(int status) {
  if (status == tine_stopped) sched::throw_stopped();
  if (status < 0) throw failure{status, message_here().data()};  // of the function that returned it to the callback
  char text[64];
  std::snprintf(text, sizeof text, "a callback has returned %d.", status);
  throw failure{status, text};
}

void fail_by_exception() {
  static_cast<void>(caught_exception());  // ends the program if a thread is about to end
  try {
    throw;
  } catch (const stopped&) {
    throw;
  } catch (const std::bad_alloc& e) {
    throw failure{tine_out_of_memory, e.what()};
  } catch (const std::exception& e) {
    throw failure{tine_exception, e.what()};
  } catch (...) {
    throw failure{tine_exception, "a callback has thrown something that is no std::exception."};
  }
}

int status_of_exception() noexcept {
  try {
    throw;
  } catch (const failure& e) {
    return keep(e.status(), e.what());
  } catch (const stopped& e) {
    return keep(tine_stopped, e.what());
  } catch (const std::bad_alloc&) {
    return keep(tine_out_of_memory, "memory is exhausted.");
  } catch (const std::invalid_argument& e) {
    return keep(tine_invalid_argument, e.what());
  } catch (const std::logic_error& e) {
    return keep(tine_wrong_state, e.what());
  } catch (const std::exception& e) {
    return keep(tine_exception, e.what());
  }
}

int refuse(const char* text) noexcept { return keep(tine_invalid_argument, text); }
int refuse_here(const char* text) noexcept { return keep(tine_wrong_state, text); }

}  // namespace tine::detail::c

const char* tine_status_text(int status) {
  if (status > 0) return "a callback has failed";
  switch (status) {
    case tine_ok:
      return "success";
    case tine_stopped:
      return "stopped";
    case tine_invalid_argument:
      return "invalid argument";
    case tine_wrong_state:
      return "not possible here or now";
    case tine_out_of_memory:
      return "out of memory";
    case tine_exception:
      return "a callback has thrown an exception";
    default:
      return "unknown status";
  }
}

const char* tine_last_message() { return tine::detail::c::message_here().data(); }

const char* tine_version() { return TINE_VERSION; }
