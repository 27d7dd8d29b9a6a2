// See calibration.hpp.
#include "cli/calibration.hpp"

#include "cli/refusal.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

namespace tine::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string calibration_path() {
  if (const std::string path = variable("TINE_CALIBRATION"); !path.empty()) return path;
  if (const std::string config = variable("XDG_CONFIG_HOME"); !config.empty()) return config + "/tine/calibration";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.config/tine/calibration";
  throw refusal{
      "none of TINE_CALIBRATION, XDG_CONFIG_HOME and HOME is set, so there is no place for the file; set the first"};
}

std::string machine_name() {
  std::ifstream processors{"/proc/cpuinfo"};
  for (std::string line; std::getline(processors, line);) {
    if (!line.starts_with("model name")) continue;
    const auto begin = line.find_first_not_of(" \t", line.find(':') + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::string text_of(const calibration& c) {
  std::string text = "# Written by `tine calibrate`. Times are nanoseconds.\n";
  text += "machine = " + machine_name() + "\n";
  const auto add = [&](std::string_view key, const std::optional<double>& value) {
    if (value) text += fmt::format("{} = {:.3f}\n", key, *value);
  };
  add("fork_burden", c.fork_burden);
  add("fork_cost", c.fork_cost);
  for (const profiling_cost& p : c.profiling) {
    add(fmt::format("profiled_fork_cost.{}", p.analysis), p.fork);
    add(fmt::format("profiled_loop_cost.{}", p.analysis), p.loop);
  }
  return text;
}

}  // namespace tine::cli
