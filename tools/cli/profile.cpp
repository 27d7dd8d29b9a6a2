// tine profile: runs a program with TINE_PROFILE set, and shows the profile that it wrote.
#include "cli/command.hpp"
#include "cli/duration.hpp"
#include "cli/load.hpp"
#include "cli/profile_and_report.hpp"
#include "trace/analyses.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

struct profile_options : reported_run {
  std::optional<std::string> threshold, max_size, every, last, signal;
  unsigned callers = 0;
  bool timeline = false;
  bool samples = true;
};

// Returns a line for each analysis: its words and its title.
std::string list_of_analyses() {
  std::string lines;
  for (const trace::analysis_entry& entry : trace::analyses) {
    const auto is_this = [&](const trace::analysis_entry& other) { return &other == &entry; };
    lines += fmt::format("  {:<10}  {}\n", trace::words_of_analyses(", ", is_this), entry.title);
  }
  return lines;
}

// Returns the options as environment variables, in the form in which the runtime reads them.
variables settings(const profile_options& o) {
  variables v;
  const auto set = [&](const char* option, const std::optional<std::string>& text, auto* parse, const char* name,
                       double least, const char* examples) {
    if (!text) return;
    const std::optional<double> value = parse(*text);
    if (!value || *value < least) throw refusal{fmt::format("{}: '{}' is not {}", option, *text, examples)};
    v[name] = fmt::format("{:.0f}{}", *value, parse == &parse_duration ? "ns" : "");
  };
  set("--threshold", o.threshold, &parse_duration, "TINE_PROFILE_THRESHOLD", 0, "a time; write e.g. 100us");
  set("--every", o.every, &parse_duration, "TINE_PROFILE_EVERY", 1e7, "a time of at least 10ms; write e.g. 10s");
  set("--max-size", o.max_size, &parse_bytes, "TINE_PROFILE_MAX_SIZE", 0x1p16,
      "a size of at least 64KiB; write e.g. 16MiB");
  set("--last", o.last, &parse_duration, "TINE_PROFILE_LAST", 1, "a time; write e.g. 10s");
  if (o.callers != 0) v["TINE_PROFILE_CALLERS"] = std::to_string(o.callers);
  if (o.signal) v["TINE_PROFILE_SIGNAL"] = *o.signal;
  if (!o.samples) v["TINE_PROFILE_SAMPLING"] = "off";
  return v;
}

int profile(profile_options o) {
  if (o.timeline || o.last) o.analyses += ",timeline";
  return profile_and_report(o, settings(o));
}

}  // namespace

command add_profile(CLI::App& tine) {
  auto given = std::make_shared<profile_options>();
  CLI::App* app = tine.add_subcommand("profile", "Run a program that uses tine, write its profile, and report.");
  app->add_option("--analyses", given->analyses, "Analyses to run, separated by commas: " + trace::words_of_analyses())
      ->capture_default_str();
  app->add_option("-o,--output", given->output,
                  "File for the profile, with %p for the process id; tine-%p.profile by default")
      ->type_name("FILE");
  app->add_option(
      "--threshold", given->threshold,
      "Only count forks and loops with less work than this, e.g. 1ms; 100us by default, 1ms for the analysis sample");
  app->add_option("--max-size", given->max_size,
                  "Double the threshold when the profile reaches this size, e.g. 64MiB; 16MiB by default");
  app->add_option("--every", given->every, "Also write the profile at this interval while the program runs, e.g. 10s");
  app->add_flag("--timeline", given->timeline,
                "Record what each worker does at each moment: adds the analysis `timeline`");
  app->add_option("--last", given->last,
                  "Keep only the last part of the timeline, e.g. 10s; adds the analysis `timeline`");
  app->add_option("--signal", given->signal,
                  "Signal that makes the program write its profile so far, or none; USR2 by default");
  app->add_flag("!--no-sampling", given->samples,
                "Do not interrupt threads by a timer to find out where they spend their time outside of roots");
  app->add_flag("-q,--quiet", given->quiet, "Write the profile, but do not print a report");
  app->add_option("COMMAND", given->command, "Program and its arguments, after --")->required()->type_name("COMMAND");
  app->add_flag(
         "--caller{4}", given->callers,
         "Record 4 callers of each function that forks or loops, or --caller=N; costs some microseconds for each fork")
      ->check(CLI::Range(0, 8));
  add_shown_frames(*app, given->shown);
  app->footer(
      "Runs the program with TINE_PROFILE=ANALYSES:FILE, without recompiling it. You can set the variable yourself, too.\n" +
      list_of_analyses() +
      "The report goes to standard error, so that you can pipe the program's output. Other processes that the program starts\n"
      "write FILE.PID, or a file of their own if FILE contains %p; the command lists all files at the end.\n\n"
      "Exit codes: the program's own, or 128 and the signal's number if it was killed; 2 if there is no profile.");
  return {app, [given] { return profile(*given); }};
}

}  // namespace tine::cli
