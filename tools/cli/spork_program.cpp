// Finds tine-spork beside `tine`, in the installation or on PATH, and becomes it.
#include "cli/spork_program.hpp"

#include "cli/command_tree_json.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace tine::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* program = "tine-spork";

// Returns the path of the program: beside this command, or where an installation has it. Otherwise its name, for a
// search in PATH.
std::string path_of_spork() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* folder : {".", TINE_LIBEXEC_FOLDER}) {
    if (const fs::path path = (here / folder / program).lexically_normal(); fs::exists(path)) return path.string();
  }
  return program;
}

[[noreturn]] void become_spork(char** words) {
  const std::string path = path_of_spork();
  execvp(path.c_str(), words);
  if (errno != ENOENT) throw refusal{fmt::format("{} cannot be started: {}", path, std::strerror(errno))};
  throw refusal{
      "the program tine-spork is neither beside this command nor in PATH; install it (Debian: it is part of the package tine-tools), "
      "or build tine with -DTINE_IR=ON, which needs LLVM 19"};
}

// Returns what the program writes about its commands; nothing if there is no such program.
std::string description_by_spork() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error{errno, std::generic_category(), "cannot make a pipe"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string path = path_of_spork(), option = "--describe";
  char* words[] = {path.data(), option.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, path.c_str(), &actions, nullptr, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char piece[4096];
  for (ssize_t n; (n = read(ends[0], piece, sizeof piece)) > 0;) text.append(piece, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  if (error == ENOENT) return {};
  if (error != 0 || waitpid(child, &status, 0) != child || status != 0) throw refusal{path + " does not work"};
  return text;
}

}  // namespace

command add_spork_program(CLI::App& tine, const char* name, const char* about, char** words) {
  CLI::App* app = tine.add_subcommand(name, about);
  app->prefix_command()->set_help_flag();  // tine-spork understands the words behind the name
  return {app, [words]() -> int { become_spork(words); }};
}

described_command describe_with_spork(const CLI::App& app) {
  described_command whole = describe_command_tree(app);
  if (app.get_parent() != nullptr) return whole;
  const std::string text = description_by_spork();
  if (text.empty()) return whole;
  for (described_command& c : parse_command_tree_json(text).verbs) {
    const auto same = std::ranges::find(whole.verbs, c.name, &described_command::name);
    if (same != whole.verbs.end()) *same = std::move(c);
  }
  return whole;
}

}  // namespace tine::cli
