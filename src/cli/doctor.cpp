// tine doctor: runs a program, follows its locks, and reports how it may hang.
#include "cli/command.hpp"
#include "cli/doctor_result.hpp"
#include "cli/duration.hpp"
#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/printable.hpp"
#include "cli/profiled_run.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

struct options {
  std::vector<std::string> read, command;
  std::string output, longer_than, timeout;
  bool json = false, verbose = false;
};

constexpr const char* not_followed =
    "the locks of the program were not followed: it is linked statically, was built with a sanitizer, or its dynamic "
    "linker preloads "
    "nothing";

void complain(const std::string& what) {
  print_error(palette{STDERR_FILENO}(emphasis::error, "tine doctor:") + " " + what + "\n");
}

std::uint64_t nanoseconds_of(const std::string& option, const std::string& text) {
  const auto value = parse_duration(text);
  if (!value || *value < 1 || *value > 1e15)
    throw refusal{fmt::format("{}: '{}' is no time; write for example 10ms or 2s", option, text)};
  return static_cast<std::uint64_t>(*value);
}

// Prints the report and returns the exit code, which a report that cannot be written does not change.
int show(const options& o, const doctor_result& result) {
  if (!result.is_judged()) {
    const auto bad = std::ranges::find_if(result.processes, [](const auto& p) { return !p.problem.empty(); });
    const std::string how = result.ending.empty() ? "" : result.ending + "; ";
    throw refusal{bad != result.processes.end() ? bad->problem : how + not_followed};
  }
  try {
    if (o.json) {
      print(doctor_json(result));
    } else if (o.command.empty()) {
      print(doctor_text(result, o.verbose, palette{STDOUT_FILENO}));
    } else {
      print_error("\n" + doctor_text(result, o.verbose, palette{STDERR_FILENO}));
    }
  } catch (const std::exception& e) {
    complain(e.what());
  }
  return result.exit_code();
}

void check_usage(const options& o) {
  if (o.command.empty() && o.read.empty())
    throw refusal{"there is neither a program to run, behind --, nor a profile to show, with --read"};
  if (!o.command.empty() && !o.read.empty())
    throw refusal{"--read shows a profile, and no program is run then; leave one of both out"};
  if (!o.read.empty() && !(o.output + o.longer_than + o.timeout).empty())
    throw refusal{"--output, --longer-than and --timeout are for a program that is run, but --read shows a profile"};
}

int doctor(const options& o) {
  check_usage(o);
  doctor_result result;
  for (const std::string& path : o.read) result.processes.push_back(read_doctor_process(path));
  if (!o.read.empty()) return show(o, result);
  variables more;
  if (!o.longer_than.empty())
    more["TINE_PROFILE_LONGER_THAN"] = fmt::format("{}ns", nanoseconds_of("--longer-than", o.longer_than));
  const std::uint64_t time_limit = o.timeout.empty() ? 0 : nanoseconds_of("--timeout", o.timeout);
  std::optional<temporary_folder> folder;
  if (o.output.empty()) folder.emplace();
  // The path is absolute, because the program may change its directory.
  const std::string asked =
      folder ? *folder / "locks-%p.profile" : (std::filesystem::current_path() / o.output).string();
  const profiled_run run =
      run_for_profiles(o.command, "locks", asked, more,
                       o.json ? program_output::to_standard_error : program_output::unchanged, time_limit);
  if (run.profiles.empty()) throw refusal{why_no_profile(run, o.command.front())};
  result.program_code = run.end.exit_code;
  if (run.end.was_stopped) {
    result.ending = fmt::format("{} ran for longer than {} and was stopped", o.command.front(), o.timeout);
  } else if (run.end.exit_code != 0) {
    result.ending = o.command.front() + " " + run.end.said;
  }
  for (const std::string& path : run.profiles) result.processes.push_back(read_doctor_process(path));
  const int code = show(o, result);
  for (const std::string& path : run.profiles) {
    if (!folder) print_error(fmt::format("profile: {}\n", printable(path)));
  }
  return code;
}

}  // namespace

command add_doctor(CLI::App& tine) {
  auto given = std::make_shared<options>();
  CLI::App* app =
      tine.add_subcommand("doctor", "Runs a program, follows its locks, and reports how they may make it hang.");
  app->add_option("--read", given->read, "Run nothing, and show this profile of an earlier run")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)  // or else it would take the -- in front of a program for its own end
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--longer-than", given->longer_than,
                  "Report waits of strands for a lock or a condition that take longer than this; 10ms unless given")
      ->type_name("TIME");
  app->add_option("--timeout", given->timeout, "End the program after this time, and report what it waits for")
      ->type_name("TIME");
  app->add_option("-o,--output", given->output, "Keep the profile in this file, with %p for the process id")
      ->type_name("FILE");
  app->add_flag("--json", given->json,
                "Print JSON to standard output; what the program prints there goes to standard error");
  app->add_flag("--verbose", given->verbose, "Show whole paths and all callers that are known");
  app->add_option("COMMAND", given->command, "The program and its arguments, after --")->type_name("COMMAND");
  app->footer(
      "The program needs no preparation; debug information makes the report readable. The command preloads "
      "libtine_locks.so and runs\n"
      "the program with TINE_PROFILE=locks:FILE; docs/locks.md is the manual. The report goes to standard error, and "
      "with --read or\n"
      "--json to standard output. A program that hangs is ended by --timeout, ^C or SIGTERM, and the report says what "
      "its strands wait\n"
      "for.\n\n"
      "Exit codes: 0 nothing found; 1 findings; 2 wrong usage, or the program could not be run or checked. If nothing "
      "was found and the\n"
      "program failed, its own code, or 128 and the signal's number.");
  return {app, [given] { return doctor(*given); }};
}

}  // namespace tine::cli
