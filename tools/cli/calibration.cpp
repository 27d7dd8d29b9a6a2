// The file of measured costs: its JSON, and where it is.
#include "cli/calibration.hpp"

#include "cli/refusal.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <system_error>

namespace tine::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string key_of(std::string_view name) { return fmt::format("{}_cost", name); }

/// Returns the values in the file by their keys; none if another machine has written it.
std::map<std::string, double, std::less<>> read_values() {
  std::map<std::string, double, std::less<>> all;
  std::ifstream file{calibration_path()};
  for (std::string line; std::getline(file, line);) {
    const auto equals = line.find(" = ");
    if (equals == std::string::npos) continue;
    const std::string text = line.substr(equals + 3);
    if (line.starts_with("machine =") && text != machine_name()) return {};
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && value >= 0 && value < 1e12) all[line.substr(0, equals)] = value;
  }
  return all;
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
  for (const step_cost& each : c.steps) add(key_of(each.name), each.value);
  return text;
}

known_costs read_costs() {
  known_costs known;
  std::map<std::string, double, std::less<>> values;
  try {
    values = read_values();
  } catch (const refusal&) {  // there is no place for a file
  }
  for (const simulate::named_cost& each : simulate::named_costs) {
    if (!each.is_calibrated) continue;
    const auto found = values.find(key_of(each.name));
    if (found == values.end()) {
      known.usual.push_back(each.name);
    } else {
      known.what.*each.value = found->second;
    }
  }
  return known;
}

}  // namespace tine::cli
