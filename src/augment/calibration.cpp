// The file of `tine calibrate`, with lines of the form `key = value`.
#include "augment/calibration.hpp"

#include <tine/augment/work_span.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace tine::detail {
namespace {

std::string calibration_path() {
  if (const char* path = std::getenv("TINE_CALIBRATION")) return path;
  if (const char* config = std::getenv("XDG_CONFIG_HOME")) return std::string{config} + "/tine/calibration";
  const char* home = std::getenv("HOME");
  return home != nullptr ? std::string{home} + "/.config/tine/calibration" : "";
}

calibration read() noexcept {
  calibration c;
  try {
    std::ifstream file{calibration_path()};
    std::string key, equals;
    for (double value; file >> key >> equals;) {
      if (!(file >> value)) {  // the machine's name, or what a later version knows
        file.clear();
        file.ignore(1 << 12, '\n');
        continue;
      }
      if (key == "fork_burden") c.fork_burden = value, c.is_measured = true;
      if (key == "fork_cost") c.fork_cost = value;
      if (key == "profiled_fork_cost") c.profiled_fork_cost = value;
      if (key == "profiled_loop_cost") c.profiled_loop_cost = value;
    }
  } catch (...) {  // no file that can be read: the usual values
  }
  return c;
}

}  // namespace

const calibration& this_machine() noexcept {
  static const calibration c = read();
  return c;
}

base::atomic<base::ticks> known_fork_burden{0};

TINE_SLOW_PATH base::ticks find_fork_burden() noexcept {
  const base::ticks burden = std::max<base::ticks>(base::to_ticks(this_machine().fork_burden / 1e3), 1);
  known_fork_burden.store(burden, base::relaxed);  // relaxed: see fork_burden
  return burden;
}

}  // namespace tine::detail
