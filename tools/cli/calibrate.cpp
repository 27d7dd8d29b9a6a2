// tine calibrate: measures the costs of forks on this machine, and writes them to the file that the runtime reads.
#include "cli/calibration.hpp"
#include "cli/command.hpp"
#include "cli/duration.hpp"
#include "cli/measure_forks.hpp"
#include "cli/print.hpp"
#include "cli/profiled_run.hpp"
#include "cli/progress.hpp"
#include "cli/run_profiled.hpp"
#include "trace/analyses.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

namespace tine::cli {
namespace {

namespace fs = std::filesystem;

void write_times(const std::string& path) {
  const fork_times t = measure_times();
  write_to(path, fmt::format("{} {} {}\n", t.call, t.fork, t.loop));
}

/// Measures the times of this program in a process of its own, with the analysis `analysis`.
fork_times times_with(std::string_view analysis, const temporary_folder& folder) {
  const std::string times = folder / "times", profile = folder / "profile";
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const child_end end = run_profiled({self, "calibrate", "--times", times}, std::string{analysis}, profile);
  fork_times t{};
  if (end.exit_code != 0 || !(std::ifstream{times} >> t.call >> t.fork >> t.loop)) {
    throw refusal{fmt::format("measuring with the analysis {}: {} {}", analysis, self, end.said)};
  }
  return t;
}

/// Measures the costs of the scheduler's steps. The figures are of several steps at once, of which the others have
/// usual values.
std::vector<step_cost> measure_steps() {
  const simulate::costs usual;
  const double promotion = std::max(0.0, measure_promotion() - usual.poll - usual.reclaim);
  const steal_times t = measure_steals();
  std::vector<step_cost> all{{"promotion", promotion}};
  if (t.awake) all.push_back({"steal", std::max(0.0, *t.awake - usual.poll - promotion - usual.search)});
  if (t.resume) all.push_back({"resume", *t.resume});
  if (t.awake && t.asleep) all.push_back({"wake_up", std::max(0.0, *t.asleep - *t.awake - usual.wake)});
  return all;
}

calibration measure() {
  std::size_t steps = 0;
  const auto timed = std::ranges::count_if(trace::analyses, &trace::analysis_entry::is_timed);
  progress shown{"measuring forks", "steps", static_cast<std::size_t>(timed) + 3};
  unsetenv("TINE_PROFILE");  // set if this program is profiled itself
  const fork_times plain = measure_times();
  shown.done(++steps);
  calibration c;
  c.fork_cost = std::max(0.0, plain.fork - plain.call);
  c.fork_burden = measure_fork_burden();
  shown.done(++steps);
  c.steps = measure_steps();
  shown.done(++steps);
  const temporary_folder folder;
  for (const trace::analysis_entry& analysis : trace::analyses) {
    if (!analysis.is_timed()) continue;
    const std::string_view word = analysis.words.front();
    const fork_times t = times_with(word, folder);
    c.profiling.push_back({word, std::max(0.0, t.fork - plain.fork), std::max(0.0, t.loop - plain.loop)});
    shown.done(++steps);
  }
  return c;
}

// Writes under another name first, so that a program which starts meanwhile reads the old file or the new one.
void save(const std::string& path, const std::string& text) {
  const fs::path folder = fs::path{path}.parent_path();
  if (!folder.empty()) fs::create_directories(folder);
  const std::string written = path + ".partial-" + std::to_string(getpid());
  write_to(written, text);
  std::error_code problem;
  fs::rename(written, path, problem);
  if (problem) {
    fs::remove(written);
    throw std::system_error{problem, "cannot write " + path};
  }
}

std::string shown(const char* what, const std::optional<double>& nanoseconds) {
  return std::string{what} + (nanoseconds ? duration(*nanoseconds) : "not measured; a usual value is taken") + "\n";
}

int calibrate(bool only_print) {
  const std::string path = calibration_path();
  const calibration c = measure();
  if (!only_print) save(path, text_of(c));
  std::string text = shown("a fork costs           ", c.fork_cost) + shown("a stolen fork costs    ", c.fork_burden);
  for (const step_cost& each : c.steps) text += fmt::format("simulation: {:<11} {}\n", each.name, duration(each.value));
  for (const profiling_cost& p : c.profiling) {
    text += fmt::format("profiling {:<6} adds  {} to a fork, {} to a loop\n", p.analysis, duration(p.fork),
                        duration(p.loop));
  }
  print(text + (only_print ? "" : "written to " + path + "\n"));
  return success;
}

}  // namespace

command add_calibrate(CLI::App& tine) {
  auto only_print = std::make_shared<bool>(false);
  auto times = std::make_shared<std::string>();
  CLI::App* app = tine.add_subcommand("calibrate",
                                      "Measure the costs of forks on this machine, which reports and predictions use.");
  app->add_flag("--dry-run", *only_print, "Print the figures, but do not write the file");
  app->add_option("--times", *times, "Only write what forks take in this process, for itself")->group("");
  app->footer(
      "Takes some seconds; leave the machine idle meanwhile, because the command measures itself with each analysis.\n"
      "Profiles that are written afterwards use the figures. They are in $TINE_CALIBRATION, or else in tine/calibration\n"
      "below $XDG_CONFIG_HOME or ~/.config: lines of `key = value` in nanoseconds, with the name of the processor. tine\n"
      "does not use a file from another machine.\n\n"
      "Exit codes: 0 success; 2 the file cannot be written.");
  return {app, [only_print, times] {
            if (times->empty()) return calibrate(*only_print);
            write_times(*times);
            return int{success};
          }};
}

}  // namespace tine::cli
