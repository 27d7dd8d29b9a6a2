// tine profile: runs a program with TINE_PROFILE set, and shows what it wrote.
#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/output.hpp"
#include "cli/profiled_child.hpp"
#include "cli/report_text.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

namespace fs = std::filesystem;

struct options {
  std::string analyses = "work,span,grain,trace";
  std::string output;
  std::vector<std::string> command;
  bool quiet = false;
};

// Which file is at a path: a new one is written under another name and renamed, so it has another number.
std::optional<std::pair<ino_t, dev_t>> file_at(const std::string& path) {
  struct stat there{};
  if (stat(path.c_str(), &there) != 0) return {};
  return std::pair{there.st_ino, there.st_dev};
}

std::string why_no_profile(const options& o, const child_end& end, const std::string& path) {
  std::string text = fmt::format("{} {}, and wrote no profile to {}. ", o.command.front(), end.said, path);
  if (end.exit_code > 128)
    return text + "A profile is written when a program ends by itself or by an uncaught exception.";
  return text +
         "Either it does not use tine, or it uses a tine without profiles, or it ended by _exit() or quick_exit(), or "
         "became another program.";
}

int profile(const options& o) {
  // Absolute, because the program may change its directory.
  const fs::path here = fs::current_path();
  const auto path_for = [&](pid_t pid) {
    return (here / (o.output.empty() ? fmt::format("tine-{}.profile", pid) : o.output)).string();
  };
  const auto before = o.output.empty() ? std::nullopt : file_at(path_for(0));
  const child_end end = run_profiled(o.command, o.analyses, path_for);
  const std::string path = path_for(end.pid);
  const auto after = file_at(path);
  if (!after || after == before) throw refusal{why_no_profile(o, end, path)};
  if (!o.quiet) print_error("\n" + report_text(load(path, symbols::resolve), columns(), 25));
  print_error(fmt::format("\nprofile: {}\n", path));
  return end.exit_code;
}

}  // namespace

command add_profile(CLI::App& tine) {
  auto given = std::make_shared<options>();
  CLI::App* app = tine.add_subcommand("profile", "Runs a program that uses tine, writes its profile, and reports.");
  app->add_option("--analyses", given->analyses, "What to measure, with commas: work, span, grain, space, trace")
      ->capture_default_str();
  app->add_option("-o,--output", given->output, "The profile's file; tine-PID.profile in this directory if not given");
  app->add_flag("-q,--quiet", given->quiet, "Write the profile, but do not report");
  app->add_option("COMMAND", given->command, "The program and its arguments, after --")->required();
  app->footer(
      "Nothing is recompiled: the program is run with TINE_PROFILE=ANALYSES:FILE, which can also be set by hand.\n"
      "  work, span  always measured: work, span, burdened span, forks, by root and by call site\n"
      "  grain       each fork and loop above a threshold, for the scatter of work against work per fork\n"
      "  space       memory on one worker and in the worst schedule; preloads libtine_space.so\n"
      "  trace       the series-parallel dag, for the critical path\n"
      "The report goes to standard error, so that the program's output can be piped.\n\n"
      "Exit codes: the program's own, 128 and the signal's number if it was killed; 2 if there is no profile.");
  return {app, [given] { return profile(*given); }};
}

}  // namespace tine::cli
