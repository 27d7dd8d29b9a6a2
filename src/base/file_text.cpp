// Reads small files by plain system calls. It has no state.
#include "base/file_text.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace tine::base {

std::optional<std::string> file_text(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string text;
  char part[4096];
  ssize_t bytes = 0;
  while ((bytes = ::read(file, part, sizeof part)) > 0) text.append(part, static_cast<std::size_t>(bytes));
  ::close(file);
  if (bytes < 0) return std::nullopt;
  return text;
}

}  // namespace tine::base
