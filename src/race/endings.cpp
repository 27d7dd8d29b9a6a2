// Ends of a process that its exit handlers do not see, and the functions that make it another program: the profile is
// written first. Any thread may call these functions, also in a signal handler, and a child of vfork. So they make
// system calls where the C library would look for a function.
#include "race/next_function.hpp"

#include "augment/attached_check.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>

using namespace tine::detail;

namespace {

using exec_by_name = int(const char*, char* const*, char* const*);
exec_by_name* next_execvpe = nullptr;
void (*next_quick_exit)(int) = nullptr;
int (*next_sigaction)(int, const struct sigaction*, struct sigaction*) = nullptr;
sighandler_t (*next_signal)(int, sighandler_t) = nullptr;

/// Before main, because a signal handler must not look for functions.
[[gnu::constructor(102)]] void find_next_functions() {
  next_execvpe = next_function<exec_by_name>("execvpe");
  next_quick_exit = next_function<void(int)>("quick_exit");
  next_sigaction = next_function<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
  next_signal = next_function<sighandler_t(int, sighandler_t)>("signal");
}

[[noreturn]] void end_now(int code) noexcept {
  write_before_end(tine::trace::ending::normal);
  for (;;) syscall(SYS_exit_group, code);
}

/// The profile is one of a run that continues, because the call may fail.
int run_file(const char* path, char* const* words, char* const* environment) noexcept {
  write_before_end(tine::trace::ending::running);
  return static_cast<int>(syscall(SYS_execve, path, words, environment));
}
int run_name(const char* name, char* const* words, char* const* environment) noexcept {
  write_before_end(tine::trace::ending::running);
  return next_execvpe(name, words, environment);
}

/// Returns the number of words that follow, up to the null pointer, and that is the next one.
std::size_t count_words(va_list& rest) noexcept {
  std::size_t n = 0;
  while (va_arg(rest, char*) != nullptr) ++n;
  return n;
}

}  // namespace

/// Defines `words`, the arguments of a function of the family execl as an array, and leaves `rest` behind the null
/// pointer. The first word may be null, although the C library declares that it is not, so the compiler must not know
/// where `leading` comes from.
#define TINE_WORDS(first)                                                                  \
  va_list rest;                                                                            \
  va_start(rest, first);                                                                   \
  const char* leading = first;                                                             \
  asm("" : "+r"(leading));                                                                 \
  const std::size_t count = leading != nullptr ? 1 + count_words(rest) : 0;                \
  va_end(rest);                                                                            \
  auto** const words = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*))); \
  va_start(rest, first);                                                                   \
  words[0] = const_cast<char*>(first);                                                     \
  for (std::size_t i = 1; i <= count; ++i) words[i] = va_arg(rest, char*)

// NOLINTBEGIN(readability-identifier-naming,cert-dcl50-cpp): names of the C library
extern "C" {

TINE_API void _exit(int code) { end_now(code); }
TINE_API void _Exit(int code) noexcept { end_now(code); }
TINE_API void quick_exit(int code) noexcept {
  write_before_end(tine::trace::ending::normal);
  next_quick_exit(code);
  __builtin_unreachable();
}

TINE_API int execve(const char* path, char* const words[], char* const environment[]) noexcept {
  return run_file(path, words, environment);
}
TINE_API int execv(const char* path, char* const words[]) noexcept { return run_file(path, words, environ); }
TINE_API int execvpe(const char* name, char* const words[], char* const environment[]) noexcept {
  return run_name(name, words, environment);
}
TINE_API int execvp(const char* name, char* const words[]) noexcept { return run_name(name, words, environ); }
TINE_API int execveat(int folder, const char* path, char* const words[], char* const environment[],
                      int flags) noexcept {
  write_before_end(tine::trace::ending::running);
  return static_cast<int>(syscall(SYS_execveat, folder, path, words, environment, flags));
}
TINE_API int fexecve(int file, char* const words[], char* const environment[]) noexcept {
  return execveat(file, "", words, environment, 0x1000);  // AT_EMPTY_PATH
}
TINE_API int execl(const char* path, const char* first, ...) noexcept {
  TINE_WORDS(first);
  va_end(rest);
  return run_file(path, words, environ);
}
TINE_API int execlp(const char* name, const char* first, ...) noexcept {
  TINE_WORDS(first);
  va_end(rest);
  return run_name(name, words, environ);
}
TINE_API int execle(const char* path, const char* first, ...) noexcept {
  TINE_WORDS(first);
  char* const* const environment = va_arg(rest, char* const*);
  va_end(rest);
  return run_file(path, words, environment);
}

// A handler that prints where the program crashed may set the default action afterwards, and let it crash again.
TINE_API int sigaction(int number, const struct sigaction* to, struct sigaction* before) noexcept {
  if (next_sigaction == nullptr) find_next_functions();
  const int result = next_sigaction(number, to, before);
  const bool is_default = to != nullptr && (to->sa_flags & SA_SIGINFO) == 0 && to->sa_handler == SIG_DFL;
  if (result == 0 && is_default) catch_default_action(number);
  return result;
}
TINE_API sighandler_t signal(int number, sighandler_t to) noexcept {
  if (next_signal == nullptr) find_next_functions();
  const sighandler_t before = next_signal(number, to);
  if (before != SIG_ERR && to == SIG_DFL) catch_default_action(number);
  return before;
}
}
// NOLINTEND(readability-identifier-naming,cert-dcl50-cpp)

#undef TINE_WORDS
