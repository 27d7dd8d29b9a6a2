// Runs a program under a check, for `tine race` and `tine doctor`.
#include "cli/program_check.hpp"

#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/printable.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <utility>

namespace tine::cli {

void add_program_check_options(CLI::App& app, program_check_options& to, const char* verbose) {
  app.add_option("--read", to.read, "Show this profile of an earlier run instead of running a program")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)  // or else it would take the -- in front of a program for its own end
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("-o,--output", to.output, "Keep the profile in this file, with %p for the process id")
      ->type_name("FILE");
  app.add_flag("--json", to.json, "Print JSON to standard output; the program's own output goes to standard error");
  app.add_flag("--verbose", to.verbose, verbose);
  app.add_option("COMMAND", to.command, "Program and its arguments, after --")->type_name("COMMAND");
}

void complain(const char* name, const std::string& what) {
  print_error(palette{STDERR_FILENO}(emphasis::error, std::string{name} + ":") + " " + what + "\n");
}

void check_sources(const program_check_options& o, const char* only_for_runs) {
  if (o.command.empty() && o.read.empty())
    throw refusal{"there is neither a program to run, behind --, nor a profile to show, with --read"};
  if (!o.command.empty() && !o.read.empty())
    throw refusal{"--read shows a profile instead of running a program; leave one of them out"};
  if (!o.read.empty() && *only_for_runs != '\0')
    throw refusal{fmt::format("{} are for a program that is run, but --read shows a profile", only_for_runs)};
}

void print_report(const char* name, const program_check_options& o, const std::function<std::string()>& json,
                  const std::function<std::string(const palette&)>& text) {
  try {
    if (o.json) {
      print(json());
    } else if (o.command.empty()) {
      print(text(palette{STDOUT_FILENO}));
    } else {
      print_error("\n" + text(palette{STDERR_FILENO}));
    }
  } catch (const std::exception& e) {
    complain(name, e.what());
  }
}

program_check::program_check(const program_check_options& o, const std::string& analyses, variables more,
                             std::uint64_t time_limit)
    : program_{o.command.front()} {
  if (o.output.empty()) folder_.emplace();
  // The path is absolute, because the program may change its directory.
  const std::string asked =
      folder_ ? *folder_ / "check-%p.profile" : (std::filesystem::current_path() / o.output).string();
  run_ = run_for_profiles(o.command, analyses, asked, std::move(more),
                          o.json ? program_output::to_standard_error : program_output::unchanged, time_limit);
}

std::string program_check::ending() const { return run_.end.exit_code != 0 ? program_ + " " + run_.end.said : ""; }

void program_check::print_paths() const {
  if (folder_) return;
  for (const std::string& path : run_.profiles) print_error(fmt::format("profile: {}\n", printable(path)));
}

}  // namespace tine::cli
