// Finds the libraries of the command in its build folder or where it is installed.
#include "cli/library_of_tine.hpp"

#include "cli/refusal.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace tine::cli {

namespace fs = std::filesystem;

std::string library_of_tine(const std::string& file) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* folder : {".", "src", "compat/openmp", TINE_LIBRARY_FOLDER, TINE_LIBRARY_FOLDER "/tine"}) {
    if (const fs::path path = (here / folder / file).lexically_normal(); fs::exists(path)) return path.string();
  }
  return {};
}

std::string library_to_preload(const std::string& user, const std::string& target, const std::string& component) {
  const std::string name = "lib" + target + ".so";
  const std::string library = library_of_tine(name);
  if (library.empty()) {
    throw refusal{fmt::format(
        "{} needs {}, which is neither beside this command nor installed with it: build the target {}, or install the component `{}`",
        user, name, target, component)};
  }
  if (library.find_first_of(" :") != std::string::npos) {
    throw refusal{fmt::format(
        "{} needs {}, and the dynamic linker preloads no file whose path has a blank or a colon: install tine elsewhere",
        user, library)};
  }
  return library;
}

void add_to_preloaded(const std::string& library) {
  const char* others = std::getenv("LD_PRELOAD");
  setenv("LD_PRELOAD", (others != nullptr && *others != '\0' ? library + ":" + others : library).c_str(), 1);
}

}  // namespace tine::cli
