// The results of `tine race`, counted and described.
#include "cli/race_result.hpp"

#include "cli/command.hpp"

#include <algorithm>
#include <limits>

namespace tine::cli {

std::uint64_t checked_process::accesses() const {
  if (!has_totals()) return 0;
  const trace::race_totals& t = read.profile.race.front();
  std::uint64_t both = 0;
  return __builtin_add_overflow(t.reads, t.writes, &both) ? std::numeric_limits<std::uint64_t>::max() : both;
}

std::uint64_t race_result::races() const {
  std::uint64_t all = 0;
  for (const checked_process& each : processes) all += each.read.summary.races.races.size();
  return all;
}

std::uint64_t race_result::suppressed() const {
  std::uint64_t all = 0;
  for (const checked_process& each : processes) all += each.read.summary.races.suppressed;
  return all;
}

bool race_result::is_incomplete() const {
  return std::ranges::any_of(processes, [](const checked_process& each) { return !each.incomplete().empty(); });
}

bool race_result::is_judged() const { return std::ranges::any_of(processes, &checked_process::is_judged); }

int race_result::exit_code() const {
  if (races() != 0) return limit_exceeded;
  const bool all_read = std::ranges::all_of(processes, [](const auto& each) { return each.problem.empty(); });
  if (!is_judged() || !all_read) return usage_error;
  if (program_code != 0) return program_code;
  return is_incomplete() ? unjudged : success;
}

}  // namespace tine::cli
