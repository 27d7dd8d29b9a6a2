// The parts of a report that only a job of several ranks has.
#include "cli/job_text.hpp"

#include "cli/duration.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace tine::cli {
namespace {

using report::rank_view;

/// A stretch of time with the part of it that counts.
struct part {
  double begin, wall, counts;
};

/// Returns for each column the time that counts in it. The part of a stretch that counts is spread evenly over it.
std::vector<double> by_column(const std::vector<part>& parts, double column, std::size_t columns) {
  std::vector<double> all(columns);
  for (const part& p : parts) {
    const double end = p.begin + p.wall, density = p.wall == 0 ? 0 : p.counts / p.wall;
    auto at = static_cast<std::size_t>(std::clamp(p.begin / column, 0.0, static_cast<double>(columns)));
    for (; at < columns && static_cast<double>(at) * column < end; ++at) {
      const double from = std::max(p.begin, static_cast<double>(at) * column);
      const double to = std::min(end, static_cast<double>(at + 1) * column);
      if (to > from) all[at] += (to - from) * density;
    }
  }
  return all;
}

part whole(const report::stretch& s) {
  const auto wall = static_cast<double>(s.wall);
  return {static_cast<double>(s.begin), wall, wall};
}

std::string ranks(const std::vector<std::uint32_t>& some) {
  std::string text;
  for (std::size_t i = 0; i < some.size() && i < 10; ++i) text += (i == 0 ? "" : ", ") + std::to_string(some[i]);
  return text + (some.size() > 10 ? ", …" : "");
}

}  // namespace

std::string timeline(const rank_view& v, std::uint64_t wall, std::size_t columns) {
  const double column = std::max(static_cast<double>(wall) / static_cast<double>(columns), 1.0);
  std::vector<part> roots, idle;
  for (const report::stretch& s : v.roots) roots.push_back(whole(s));
  for (const auto& p : v.idle_periods)
    idle.push_back({static_cast<double>(p.begin), static_cast<double>(p.wall), static_cast<double>(p.without_work)});
  const std::vector<double> lives = by_column({whole(v.life)}, column, columns),
                            in_roots = by_column(roots, column, columns),
                            without_work = by_column(idle, column, columns);
  constexpr std::array<std::string_view, 9> blocks{"_", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (std::size_t i = 0; i < columns; ++i) {
    if (lives[i] < column / 2) {
      text += ' ';
    } else if (in_roots[i] < lives[i] / 8) {
      text += "·";
    } else {
      const double share = std::clamp((in_roots[i] - without_work[i]) / lives[i], 0.0, 1.0);
      text += blocks[static_cast<std::size_t>(share * 8 + 0.5)];
    }
  }
  return text;
}

std::string job_text(const report::job& j, std::size_t width, const palette& paint) {
  using enum table::side;
  table t{{{"rank"},
           {"work"},
           {"share", right, false, 2},
           {"in calls", right, false, 3},
           {"without work"},
           {"", right},
           {"steals"},
           {"requests", right, false, 4},
           {"given", right, false, 3},
           {"messages", right, false, 1},
           {"bytes", right, false, 1}}};
  const auto ns = [](std::uint64_t n) { return duration(static_cast<double>(n)); };
  trace::rank_totals all;
  std::uint64_t work = 0;
  const auto add = [&](const std::string& name, const trace::rank_totals& c, std::uint64_t of_rank, double share) {
    t.add({name, ns(of_rank), percent(share), ns(c.in_calls), ns(c.without_work),
           percent(c.in_calls == 0 ? 0 : static_cast<double>(c.without_work) / static_cast<double>(c.in_calls)),
           count(c.steals), count(c.requests), count(c.given), count(c.messages), bytes(static_cast<double>(c.bytes))});
  };
  for (const rank_view& v : j.by_rank) {
    const trace::rank_totals& c = v.counted;
    add(std::to_string(c.rank), c, v.work, v.work_share);
    work += v.work;
    all.in_calls += c.in_calls, all.without_work += c.without_work, all.steals += c.steals, all.requests += c.requests;
    all.given += c.given, all.messages += c.messages, all.bytes += c.bytes;
  }
  add("all", all, work, 1);
  std::string text = t.text(width, paint);
  if (!j.missing.empty())
    text += fmt::format("missing     {} of {} ranks have no profile here: {}\n", j.missing.size(), j.ranks,
                        ranks(j.missing));
  const std::size_t label = std::max<std::size_t>(4, std::to_string(j.ranks - 1).size());
  const std::size_t columns = std::clamp<std::size_t>(width, label + 12, 112) - label - 2;
  text += fmt::format(
      "\n{:>{}}  timeline of {}: a block is as high as the share of the time with work in roots; · outside of roots\n",
      "rank", label, ns(j.wall));
  for (const rank_view& v : j.by_rank)
    text += fmt::format("{:>{}}  {}\n", v.counted.rank, label, timeline(v, j.wall, columns));
  return text + "\n";
}

}  // namespace tine::cli
