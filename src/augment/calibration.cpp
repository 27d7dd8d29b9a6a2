// The file of `tine calibrate`, with lines of the form `key = value`.
#include "augment/calibration.hpp"

#include "augment/process.hpp"

#include <tine/augment/work_span.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace tine::detail {
namespace {

std::string calibration_path() {
  if (const char* path = std::getenv("TINE_CALIBRATION")) return path;
  if (const char* config = std::getenv("XDG_CONFIG_HOME")) return std::string{config} + "/tine/calibration";
  const char* home = std::getenv("HOME");
  return home != nullptr ? std::string{home} + "/.config/tine/calibration" : "";
}

/// Returns the number for `key`; null if there is none. A key without the word of an analysis comes from a file of an
/// older version, which only had `work`.
double* profiling(calibration& c, std::string_view key) noexcept {
  const std::size_t dot = key.find('.');
  const std::string_view what = key.substr(0, dot), word = dot != key.npos ? key.substr(dot + 1) : "work";
  const trace::analysis_entry* const entry = trace::analysis_named(word);
  if (entry == nullptr) return nullptr;
  trace::profiling_cost& of = c.costs[static_cast<std::size_t>(entry - trace::analyses.data())];
  if (what == "profiled_fork_cost") return &of.fork;
  return what == "profiled_loop_cost" ? &of.loop : nullptr;
}

/// Returns the calibration in the file. Without a file, or if another machine wrote it, the calibration has the usual
/// values.
calibration read() noexcept {
  calibration c;
  try {
    std::ifstream file{calibration_path()};
    for (std::string line; std::getline(file, line);) {
      const std::size_t equals = line.find(" = ");
      if (equals == line.npos) continue;
      const std::string key = line.substr(0, equals), text = line.substr(equals + 3);
      if (key == "machine") {
        if (text != processor_name()) return {};
        continue;
      }
      double value;
      if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
        continue;  // of a later version
      if (key == "fork_burden") c.fork_burden = value, c.is_measured = true;
      if (key == "fork_cost") c.fork_cost = value;
      if (double* const cost = profiling(c, key)) *cost = value;
    }
  } catch (...) {  // the file cannot be read
    return {};
  }
  return c;
}

}  // namespace

trace::profiling_cost calibration::of(std::uint32_t analyses) const noexcept {
  trace::profiling_cost sum{};
  for (std::size_t i = 0; i < trace::analyses.size(); ++i) {
    const trace::analysis_entry& entry = trace::analyses[i];
    if ((analyses & entry.flag) == 0) continue;
    const trace::profiling_cost needed = entry.needs == 0 ? trace::profiling_cost{} : of(entry.needs);
    sum.fork += std::max(0.0, costs[i].fork - needed.fork);
    sum.loop += std::max(0.0, costs[i].loop - needed.loop);
  }
  return sum;
}

const calibration& this_machine() noexcept {
  static const calibration c = read();
  return c;
}

base::atomic<base::ticks> known_fork_burden{0};

base::ticks find_fork_burden_plainly() noexcept {
  const base::ticks burden = std::max<base::ticks>(base::to_ticks(this_machine().fork_burden / 1e3), 1);
  known_fork_burden.store(burden, base::relaxed);  // relaxed: see fork_burden
  return burden;
}

}  // namespace tine::detail
