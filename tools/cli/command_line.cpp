// See command_line.hpp.
#include "cli/command_line.hpp"

#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/suggestion.hpp"

#include <tine/base/version.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <string>

namespace tine::cli {
namespace {

// Opens /dev/null for each closed standard stream. Otherwise the first file that the command opens would become
// standard output, and the command would write to it.
void occupy_standard_streams() {
  for (int fd = 0; fd < 3; ++fd) {
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) open("/dev/null", O_RDONLY);
  }
}

void complain(const std::string& who, const std::string& what) {
  print_error(palette{STDERR_FILENO}(emphasis::error, who + ":") + " " + what + "\n");
}

int run_chosen(const std::vector<command>& commands) {
  const auto chosen = std::ranges::find_if(commands, [](const command& c) { return c.options->parsed(); });
  const std::string name = chosen->options->get_name();
  try {
    return chosen->run();
  } catch (const std::bad_alloc&) {
    complain("tine " + name, "out of memory");
  } catch (const std::exception& e) {
    complain("tine " + name, e.what());
  }
  return usage_error;
}

}  // namespace

void add_color(CLI::App& app) {
  for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) add_color(*sub);
  app.add_option_function<std::string>(
         "--color", choose_colours,
         "When to colour texts; auto, the default, means on a terminal, unless NO_COLOR is "
         "set")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

int run_command_line(CLI::App& tine, const std::vector<command>& commands, int argc, char** argv,
                     described_command (*describe)(const CLI::App&)) try {
  occupy_standard_streams();
  signal(SIGPIPE, SIG_IGN);  // a write then fails with EPIPE, which is no error (print.hpp)
  tine.set_version_flag("--version", "tine " TINE_VERSION);
  tine.require_subcommand(1);
  add_color(tine);
  try {
    tine.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return tine.exit(e);
    const std::string meant = suggestion(tine, describe);
    complain("tine", (meant.empty() ? e.what() : meant) + "; `tine --help` and `tine SUBCOMMAND --help` say more");
    return usage_error;
  }
  return run_chosen(commands);
} catch (const std::exception& e) {
  complain("tine", e.what());
  return usage_error;
}

}  // namespace tine::cli
