// Replaces the contents of files.
#include "cli/replace_file.hpp"

#include "cli/print.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace tine::cli {

namespace fs = std::filesystem;

void replace_file(const std::string& path, std::string_view text) {
  const fs::path file = fs::canonical(path);
  // Renaming would replace a file that its owner has made read-only.
  if (access(file.c_str(), W_OK) != 0) throw std::system_error{errno, std::generic_category(), "cannot write " + path};
  const fs::path written = file.string() + ".partial-" + std::to_string(getpid());
  try {
    write_to(written.string(), text);
    fs::permissions(written, fs::status(file).permissions());
    fs::rename(written, file);
  } catch (...) {
    std::error_code ignored;
    fs::remove(written, ignored);
    throw;
  }
}

}  // namespace tine::cli
