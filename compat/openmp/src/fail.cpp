// Prints messages; each goes out by one write, so those of several threads don't mix.
#include "fail.hpp"

#include <unistd.h>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace tine::openmp {
namespace {

void print(const char* format, va_list arguments) noexcept {
  char text[512];
  const int head = std::snprintf(text, sizeof text, "tine: OpenMP: ");
  int length = head + std::vsnprintf(text + head, sizeof text - head - 1, format, arguments);
  if (length > static_cast<int>(sizeof text) - 2) length = sizeof text - 2;
  text[length++] = '\n';
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

}  // namespace

void warn(const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  print(format, arguments);
  va_end(arguments);
}

void fail(const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  print(format, arguments);
  va_end(arguments);
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace tine::openmp
