// tine doctor: runs a program, follows its locks, and reports how it may hang.
#include "cli/command.hpp"
#include "cli/doctor_result.hpp"
#include "cli/duration.hpp"
#include "cli/program_check.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

struct doctor_options : program_check_options {
  std::string longer_than, timeout;
};

constexpr const char* not_followed =
    "the locks of the program were not followed: it is linked statically, was built with a sanitizer, or its dynamic linker preloads nothing";

std::uint64_t nanoseconds_of(const std::string& option, const std::string& text) {
  const auto value = parse_duration(text);
  if (!value || *value < 1 || *value > 1e15)
    throw refusal{fmt::format("{}: '{}' is not a time; write e.g. 10ms or 2s", option, text)};
  return static_cast<std::uint64_t>(*value);
}

// Prints the report and returns the exit code, which a report that cannot be written does not change.
int show(const doctor_options& o, const doctor_result& result) {
  if (!result.is_judged()) {
    const auto bad = std::ranges::find_if(result.processes, [](const auto& p) { return !p.problem.empty(); });
    const std::string how = result.ending.empty() ? "" : result.ending + "; ";
    throw refusal{bad != result.processes.end() ? bad->problem : how + not_followed};
  }
  print_report(
      "tine doctor", o, [&] { return doctor_json(result); },
      [&](const palette& paint) { return doctor_text(result, o.verbose, paint); });
  return result.exit_code();
}

int doctor(const doctor_options& o) {
  const bool has_more = !(o.output + o.longer_than + o.timeout).empty();
  check_sources(o, has_more ? "--output, --longer-than and --timeout" : "");
  doctor_result result;
  for (const std::string& path : o.read) result.processes.push_back(read_doctor_process(path));
  if (!o.read.empty()) return show(o, result);
  variables more;
  if (!o.longer_than.empty())
    more["TINE_PROFILE_LONGER_THAN"] = fmt::format("{}ns", nanoseconds_of("--longer-than", o.longer_than));
  const program_check run{o, "locks", more, o.timeout.empty() ? 0 : nanoseconds_of("--timeout", o.timeout)};
  if (run.its().profiles.empty()) throw refusal{why_no_profile(run.its(), o.command.front())};
  result.program_code = run.its().end.exit_code;
  result.ending = run.its().end.was_stopped
                      ? fmt::format("{} ran for longer than {} and was stopped", o.command.front(), o.timeout)
                      : run.ending();
  for (const std::string& path : run.its().profiles) result.processes.push_back(read_doctor_process(path));
  const int code = show(o, result);
  run.print_paths();
  return code;
}

}  // namespace

command add_doctor(CLI::App& tine) {
  auto given = std::make_shared<doctor_options>();
  CLI::App* app = tine.add_subcommand("doctor", "Run a program and report how its locks can make it hang.");
  add_program_check_options(*app, *given, "Show whole paths and all known callers");
  app->add_option("--longer-than", given->longer_than,
                  "Report strands that wait for a lock or a condition for longer than this, e.g. 50ms; 10ms by default")
      ->type_name("TIME");
  app->add_option("--timeout", given->timeout,
                  "End the program after this time, e.g. 30s, and report what it waits for")
      ->type_name("TIME");
  app->footer(
      "You need not prepare the program; debug information makes the report readable. The command preloads libtine_locks.so\n"
      "and runs the program with TINE_PROFILE=locks:FILE; docs/reference/locks.md is the manual. The report goes to standard\n"
      "error, and with --read or --json to standard output. If the program hangs, --timeout, ^C or SIGTERM ends it, and the\n"
      "report says what its strands wait for.\n\n"
      "Exit codes: 0 nothing found; 1 findings; 2 wrong usage, or the program could not be run or checked. If nothing was\n"
      "found and the program failed: its own code, or 128 and the signal's number.");
  return {app, [given] { return doctor(*given); }};
}

}  // namespace tine::cli
