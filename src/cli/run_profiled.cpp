// See run_profiled.hpp.
#include "cli/run_profiled.hpp"

#include "cli/library_of_tine.hpp"
#include "cli/refusal.hpp"
#include "trace/analyses.hpp"

#include <unistd.h>

#include <cstdlib>

namespace tine::cli {
namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> words{""};
  for (const char c : list) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

// Returns the word of the list whose analysis observes malloc; an empty string if there is none. Refuses unknown analyses here,
// because the runtime could only report them on the program's standard error.
std::string word_for_malloc(const std::string& list) {
  std::string found;
  for (const std::string& word : split(list)) {
    const trace::analysis_entry* entry = trace::analysis_named(word);
    if (entry == nullptr) entry = trace::check_with_strict(word);
    if (entry == nullptr)
      throw refusal{"--analyses: there is no analysis '" + word + "'; there are " + trace::words_of_analyses()};
    if (entry->observes_malloc) found = word;
  }
  return found;
}

// Returns the path of the library that observes malloc.
std::string malloc_library(const std::string& word) {
  const std::string library = library_of_tine("libtine_space.so");
  if (library.empty()) {
    throw refusal{"the analysis `" + word +
                  "` needs libtine_space.so, which is neither beside this command nor installed with it: build the "
                  "target tine_space, or install the component `tools`"};
  }
  if (library.find_first_of(" :") != std::string::npos) {
    throw refusal{
        "the analysis `" + word + "` needs " + library +
        ", and the dynamic linker preloads no file whose path has a blank or a colon: install tine elsewhere"};
  }
  return library;
}

}  // namespace

child_end run_profiled(const std::vector<std::string>& command, const std::string& analyses, const std::string& path,
                       const variables& more, program_output output) {
  const std::string word = word_for_malloc(analyses);
  const std::string preload = word.empty() ? std::string{} : malloc_library(word);
  return run_child(command, [&](pid_t) {
    if (output == program_output::to_standard_error) dup2(STDERR_FILENO, STDOUT_FILENO);
    setenv("TINE_PROFILE", (analyses + ":" + path).c_str(), 1);
    unsetenv("TINE_PROFILE_OWNER");  // set if this command is profiled itself
    unsetenv("TINE_PROFILE_LIST");
    for (const auto& [name, value] : more) setenv(name.c_str(), value.c_str(), 1);
    if (preload.empty()) return;
    const char* others = std::getenv("LD_PRELOAD");
    setenv("LD_PRELOAD", (others != nullptr && *others != '\0' ? preload + ":" + others : preload).c_str(), 1);
  });
}

}  // namespace tine::cli
