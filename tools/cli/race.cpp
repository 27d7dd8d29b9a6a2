// tine race: runs a program that is instrumented for the race detector, and reports its determinacy races.
#include "cli/command.hpp"
#include "cli/palette.hpp"
#include "cli/printable.hpp"
#include "cli/program_check.hpp"
#include "cli/program_file.hpp"
#include "cli/race_result.hpp"
#include "cli/race_text.hpp"
#include "report/page.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* name = "tine race";

struct race_options : program_check_options {
  std::vector<std::string> suppressions;
  std::string html;
  bool determinism = false;
};

// Reads the lists of suppressions that were given, and the one in the environment.
std::vector<report::suppression> suppressions_of(const race_options& o) {
  std::vector<std::string> paths = o.suppressions;
  const char* more = std::getenv("TINE_RACE_SUPPRESSIONS");
  if (more != nullptr && *more != '\0') paths.emplace_back(more);
  std::vector<report::suppression> all;
  for (const std::string& path : paths) {
    std::error_code unknown;
    std::ifstream in{path};
    if (fs::is_directory(path, unknown)) throw refusal{path + ": is a directory, but a list of suppressions is a file"};
    if (!in) throw refusal{fmt::format("cannot open {}: {}", path, std::strerror(errno))};
    const std::string text{std::istreambuf_iterator<char>{in}, {}};
    try {
      std::ranges::move(report::parse_suppressions(text, path), std::back_inserter(all));
    } catch (const std::invalid_argument& e) {
      throw refusal{printable(e.what())};
    }
  }
  return all;
}

checked_process read_process(const std::string& path, std::vector<report::suppression>& suppressions) {
  checked_process process{.path = path, .problem = {}, .read = {}};
  try {
    process.read = load(path, symbols::resolve, {}, suppressions);
  } catch (const std::exception& e) {
    process.problem = printable(e.what());
  }
  return process;
}

// Writes the page of the first process with races, or else of the first one that was checked. Says why it cannot.
void write_page(const race_result& result, const std::string& file) {
  auto shown =
      std::ranges::find_if(result.processes, [](const auto& p) { return !p.read.summary.races.races.empty(); });
  if (shown == result.processes.end()) shown = std::ranges::find_if(result.processes, &checked_process::is_judged);
  const std::string problem = report::write_page(shown->read.profile, shown->read.summary, file);
  if (!problem.empty()) complain(name, "cannot write the page: " + problem);
}

// Prints the report and returns the exit code, which a report that cannot be written does not change.
int show(const race_options& o, const race_result& result) {
  if (!result.is_judged()) {
    const auto bad = std::ranges::find_if(result.processes, [](const auto& p) { return !p.problem.empty(); });
    const std::string how = result.ending.empty() ? "" : result.ending + "; ";
    throw refusal{bad != result.processes.end() ? bad->problem : how + not_instrumented};
  }
  const auto details = o.verbose ? race_details::all : race_details::few;
  print_report(
      name, o, [&] { return race_json(result); },
      [&](const palette& paint) { return race_text(result, details, paint); });
  if (!o.html.empty()) write_page(result, o.html);
  return result.exit_code();
}

// Returns true if the program that was to be run is a profile.
bool is_profile(const std::string& path) {
  char first[5] = {};
  return std::ifstream{path, std::ios::binary}.read(first, sizeof first) && std::memcmp(first, "\x89tine", 5) == 0;
}

// Returns true if the program contains ThreadSanitizer's runtime, or needs its library.
bool has_thread_sanitizer(const std::string& program) {
  const std::string path = program_file(program);
  return mentions(path, "libtsan.so") || mentions(path, "__tsan_on_report");
}

int race(const race_options& o) {
  check_sources(o, !o.output.empty() || o.determinism ? "--output and --determinism" : "");
  if (!o.command.empty() && is_profile(o.command.front()))
    throw refusal{fmt::format("{0} is a profile, not a program; `tine race --read {0}` shows it", o.command.front())};
  race_result result;
  result.suppressions = suppressions_of(o);
  for (const std::string& path : o.read) result.processes.push_back(read_process(path, result.suppressions));
  if (!o.read.empty()) return show(o, result);
  const program_check run{o, o.determinism ? "race,determinism" : "race"};
  if (run.its().profiles.empty()) {
    if (has_thread_sanitizer(o.command.front())) {
      throw refusal{fmt::format(
          "{} {}: it is linked with ThreadSanitizer, whose place libtine_race takes; leave -fsanitize=thread out when you link, and keep it when you compile",
          o.command.front(), run.its().end.said)};
    }
    throw refusal{why_no_profile(run.its(), o.command.front()) + " It has to be instrumented: " +
                  std::string{not_instrumented}.substr(std::string{"0 accesses seen: "}.size())};
  }
  result.program_code = run.its().end.exit_code;
  result.ending = run.ending();
  for (const std::string& path : run.its().profiles)
    result.processes.push_back(read_process(path, result.suppressions));
  const int code = show(o, result);
  run.print_paths();
  return code;
}

}  // namespace

command add_race(CLI::App& tine) {
  auto given = std::make_shared<race_options>();
  CLI::App* app = tine.add_subcommand("race", "Run an instrumented program and report its determinacy races.");
  add_program_check_options(*app, *given,
                            "Show the inlined functions, whole paths, and the suppressions that suppressed nothing");
  app->add_flag("--determinism", given->determinism,
                "Also report atomic accesses and accesses under locks: their order may differ from run to run");
  app->add_option(
         "--suppressions", given->suppressions,
         "List of races not to report, with lines function:PATTERN, file:PATTERN or variable:PATTERN; may be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)  // or else it would take the -- in front of a program for its own end
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app->add_option("--html", given->html, "Also write a page for the browser to this file")->type_name("FILE");
  app->footer(
      "Compile the program with -fsanitize=thread -DTINE_RACE_DETECTION and link it with libtine_race; in CMake:\n"
      "tine_enable_race_detection(target). docs/reference/races.md is the manual. The command runs the program with\n"
      "TINE_PROFILE=race:FILE. You can set the variable yourself, too. The report goes to standard error, and with --read or\n"
      "--json to standard output. The variable TINE_RACE_SUPPRESSIONS names one more list of suppressions.\n\n"
      "Exit codes: 0 no races; 1 races; 2 wrong usage, or the program could not be run or is not instrumented; 3 no races,\n"
      "but a part of the run was not checked. If there are no races and the program failed: its own code, or 128 and the\n"
      "signal's number.");
  return {app, [given] { return race(*given); }};
}

}  // namespace tine::cli
