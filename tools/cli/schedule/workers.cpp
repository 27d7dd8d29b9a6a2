// The totals of a schedule, for each worker and as a whole.
#include "cli/duration.hpp"
#include "cli/schedule/schedule_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tine::cli {

std::vector<worker_row> worker_rows(const schedule& s) {
  std::vector<std::size_t> strands(s.workers());
  const auto add = [&](const schedule::segment& g) {
    if (g.owner != schedule::no_worker) ++strands[static_cast<std::size_t>(g.owner)];
  };
  add(s.root());
  for (const schedule::step& t : s.steps()) add(t.after);
  for (const schedule::piece& p : s.pieces()) add(p.run);
  const auto busy = s.busy_ns();
  const std::uint64_t duration = s.duration_ns();
  std::vector<worker_row> rows;
  for (std::size_t w = 0; w < strands.size(); ++w) {
    if (strands[w] != 0)
      rows.push_back({static_cast<int>(w), strands[w], busy[w], duration - std::min(duration, busy[w])});
  }
  return rows;
}

std::size_t joins_of(const schedule& s) {
  return static_cast<std::size_t>(
      std::ranges::count_if(s.steps(), [](const schedule::step& t) { return t.after.owner != schedule::no_worker; }));
}

std::string in_one_line(const schedule& s) {
  const auto many = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", count(n), what, n == 1 ? "" : "s");
  };
  return fmt::format("{}, {}, {}, {}, {}", many(s.workers(), "worker"), many(s.steals(), "steal"),
                     many(joins_of(s), "join"), bytes(static_cast<double>(s.size_bytes())),
                     duration(static_cast<double>(s.duration_ns())));
}

}  // namespace tine::cli
