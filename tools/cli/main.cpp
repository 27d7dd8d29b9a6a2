// The tine command: chooses the subcommand, and turns every error into a message and an exit code.
#include "cli/command.hpp"
#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/suggestion.hpp"

#include <tine/base/version.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <vector>

namespace {

using namespace tine::cli;

constexpr const char* about =
    "The microscope for programs that fork with tine.\n\n"
    "  tine profile -- ./app args     run a program and see its work, span and call sites\n"
    "  tine report app.profile        see them again\n"
    "  tine predict app.profile       how fast would it be on more workers?\n"
    "  tine whatif app.profile        which call site is worth making faster?\n"
    "  tine check app.profile --min-parallelism 50 --max-serial-share 5%    in CI\n"
    "  tine race -- ./app args        find its determinacy races; the program is compiled for it\n"
    "  tine schedule show a.json      who ran what of a recorded region\n"
    "  tine perturb -- ./app args     find an order of its strands in which it fails\n\n"
    "docs/reference/profiling.md is the manual.";

// Opens /dev/null for each closed standard stream. Otherwise the first file that the command opens would become standard output,
// and the command would write to it.
void occupy_standard_streams() {
  for (int fd = 0; fd < 3; ++fd) {
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) open("/dev/null", O_RDONLY);
  }
}

void complain(const std::string& who, const std::string& what) {
  print_error(palette{STDERR_FILENO}(emphasis::error, who + ":") + " " + what + "\n");
}

// Adds --color to the command and to all below it, so that it may stand anywhere on the command line.
void add_color(CLI::App& app) {
  for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) add_color(*sub);
  app.add_option_function<std::string>(
         "--color", choose_colours,
         "When to colour texts; auto, the default, means on a terminal, unless NO_COLOR is "
         "set")
      ->check(CLI::IsMember({"auto", "always", "never"}));
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

int main(int argc, char** argv) {
  occupy_standard_streams();
  signal(SIGPIPE, SIG_IGN);  // a write then fails with EPIPE, which is no error (print.hpp)
  CLI::App tine{about, "tine"};
  tine.set_version_flag("--version", "tine " TINE_VERSION);
  tine.require_subcommand(1);
  tine.footer(
      "Exit codes: 0 good; 1 a limit is not met, schedules differ, or a program is bad; 2 wrong usage, or a file that "
      "cannot "
      "be read or written.");
  const std::vector<command> commands{
      add_profile(tine), add_report(tine),   add_diff(tine), add_check(tine),  add_export(tine),     add_predict(tine),
      add_whatif(tine),  add_simulate(tine), add_race(tine), add_doctor(tine), add_calibrate(tine),  add_schedule(tine),
      add_perturb(tine), add_topology(tine), add_ir(tine),   add_ml(tine),     add_completion(tine), add_man(tine)};
  add_color(tine);
  try {
    tine.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return tine.exit(e);
    const std::string meant = suggestion(tine);
    complain("tine", (meant.empty() ? e.what() : meant) + "; `tine --help` and `tine SUBCOMMAND --help` say more");
    return usage_error;
  }
  return run_chosen(commands);
}
