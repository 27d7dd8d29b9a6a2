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

// Returns the path of the library that the analysis `word` needs, which is built by the target `target`.
std::string library_to_preload(const std::string& word, const std::string& target) {
  const std::string name = "lib" + target + ".so";
  const std::string library = library_of_tine(name);
  if (library.empty()) {
    throw refusal{"the analysis `" + word + "` needs " + name +
                  ", which is neither beside this command nor installed with it: build the target " + target +
                  ", or install the component `tools`"};
  }
  if (library.find_first_of(" :") != std::string::npos) {
    throw refusal{
        "the analysis `" + word + "` needs " + library +
        ", and the dynamic linker preloads no file whose path has a blank or a colon: install tine elsewhere"};
  }
  return library;
}

// Returns the path of the library that an analysis of the list needs; an empty string if none does. Refuses unknown
// analyses here, because the runtime could only report them on the program's standard error.
std::string library_for(const std::string& list) {
  std::string found;
  for (const std::string& word : split(list)) {
    const trace::analysis_entry* entry = trace::analysis_named(word);
    if (entry == nullptr) entry = trace::check_with_strict(word);
    if (entry == nullptr)
      throw refusal{"--analyses: there is no analysis '" + word + "'; there are " + trace::words_of_analyses()};
    if (entry->observes_malloc) found = library_to_preload(word, "tine_space");
    if (entry->observes_locks) found = library_to_preload(word, "tine_locks");
  }
  return found;
}

}  // namespace

child_end run_profiled(const std::vector<std::string>& command, const std::string& analyses, const std::string& path,
                       const variables& more, program_output output, std::uint64_t time_limit) {
  const std::string preload = library_for(analyses);
  return run_child(
      command,
      [&](pid_t) {
        if (output == program_output::to_standard_error) dup2(STDERR_FILENO, STDOUT_FILENO);
        setenv("TINE_PROFILE", (analyses + ":" + path).c_str(), 1);
        unsetenv("TINE_PROFILE_OWNER");  // set if this command is profiled itself
        unsetenv("TINE_PROFILE_LIST");
        for (const auto& [name, value] : more) setenv(name.c_str(), value.c_str(), 1);
        if (preload.empty()) return;
        const char* others = std::getenv("LD_PRELOAD");
        setenv("LD_PRELOAD", (others != nullptr && *others != '\0' ? preload + ":" + others : preload).c_str(), 1);
      },
      time_limit);
}

}  // namespace tine::cli
