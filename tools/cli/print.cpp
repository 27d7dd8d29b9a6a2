// Writes results, and checks every write: a report that ends in the middle because the disk is full must not look like
// a whole one.
#include "cli/print.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace tine::cli {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::system_error{errno, std::generic_category(), what}; }

void write_all(int fd, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return;
    } else if (errno != EINTR) {
      fail("cannot write to " + name);
    }
  }
}

}  // namespace

void print(std::string_view text) { write_all(STDOUT_FILENO, text, "standard output"); }

// Calls write(2) instead of stdio or fmt: their errors become an exception, which would end the command by an abort.
void print_error(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_to(const std::string& path, std::string_view text) {
  if (path.empty()) return print(text);
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd == -1) fail("cannot open " + path);
  try {
    write_all(fd, text, path);
  } catch (...) {
    close(fd);
    throw;
  }
  if (close(fd) != 0) fail("cannot write to " + path);
}

unsigned columns(int fd) {
  constexpr unsigned least = 40, usual = 120, most = 400;
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) return std::clamp<unsigned>(size.ws_col, least, most);
  const char* variable = std::getenv("COLUMNS");
  const long wanted = variable != nullptr ? std::strtol(variable, nullptr, 10) : 0;
  return wanted > 0 ? static_cast<unsigned>(std::clamp<long>(wanted, least, most)) : usual;
}

}  // namespace tine::cli
