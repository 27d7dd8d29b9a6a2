// Finds the libraries of the command in its build folder or where it is installed.
#include "cli/library_of_tine.hpp"

#include <filesystem>

namespace tine::cli {

namespace fs = std::filesystem;

std::string library_of_tine(const std::string& file) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* folder : {".", "src", TINE_LIBRARY_FOLDER, TINE_LIBRARY_FOLDER "/tine"}) {
    if (const fs::path path = (here / folder / file).lexically_normal(); fs::exists(path)) return path.string();
  }
  return {};
}

}  // namespace tine::cli
