// tine calibrate: measures what forks cost here, and writes it where the runtime finds it.
#include "cli/calibration_file.hpp"
#include "cli/command.hpp"
#include "cli/measure_forks.hpp"
#include "cli/output.hpp"
#include "cli/units.hpp"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace tine::cli {
namespace {

calibration measure() {
  calibration c;
  c.fork_cost = measure_fork_cost();
  c.fork_burden = measure_fork_burden();
  c.profiled_fork_cost = measure_profiled_fork_cost();
  c.profiled_loop_cost = measure_profiled_loop_cost();
  return c;
}

// Under another name first: a program that starts meanwhile reads the old file or the new one.
void save(const std::string& path, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path{path}.parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  const std::string written = path + ".partial-" + std::to_string(getpid());
  write_to(written, text);
  std::error_code problem;
  std::filesystem::rename(written, path, problem);
  if (problem) {
    std::filesystem::remove(written);
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
  print(shown("a fork costs                     ", c.fork_cost) +
        shown("a stolen fork costs              ", c.fork_burden) +
        shown("profiling adds to a fork         ", c.profiled_fork_cost) +
        shown("profiling adds to a loop         ", c.profiled_loop_cost) +
        (only_print ? "" : "written to " + path + "\n"));
  return good;
}

}  // namespace

command add_calibrate(CLI::App& tine) {
  auto only_print = std::make_shared<bool>(false);
  CLI::App* app =
      tine.add_subcommand("calibrate", "Measures what forks cost on this machine, for burdened spans and costs.");
  app->add_flag("--dry-run", *only_print, "Print the figures, but write no file");
  app->footer(
      "Takes about a second, on an idle machine please. Profiles that are written afterwards use the figures, which "
      "are\n"
      "kept in $TINE_CALIBRATION, else in tine/calibration below $XDG_CONFIG_HOME or ~/.config, as lines of `key = "
      "value` in\n"
      "nanoseconds, with the name of the processor: a file from another machine is not believed.\n\n"
      "Exit codes: 0 good; 2 the file cannot be written.");
  return {app, [only_print] { return calibrate(*only_print); }};
}

}  // namespace tine::cli
