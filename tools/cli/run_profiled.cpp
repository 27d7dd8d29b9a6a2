// Runs a program with a profile.
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

// Returns the path of the library that an analysis of the list needs; an empty string if none does. Refuses unknown
// analyses here, because the runtime could only report them on the program's standard error.
std::string library_for(const std::string& list) {
  std::string found;
  for (const std::string& word : split(list)) {
    const trace::analysis_entry* entry = trace::analysis_named(word);
    if (entry == nullptr) entry = trace::check_with_strict(word);
    if (entry == nullptr)
      throw refusal{"--analyses: there is no analysis '" + word + "'; there are " + trace::words_of_analyses()};
    const auto preloaded = [&](const char* target) {
      return library_to_preload("the analysis `" + word + "`", target, "tools");
    };
    if (entry->observes_malloc) found = preloaded("tine_space");
    if (entry->observes_locks) found = preloaded("tine_locks");
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
        if (!preload.empty()) add_to_preloaded(preload);
      },
      time_limit);
}

}  // namespace tine::cli
