// tine diff: compares two profiles.
#include "cli/command.hpp"
#include "cli/duration.hpp"
#include "cli/load.hpp"
#include "cli/narrow.hpp"
#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/table.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

using report::summary;

struct diff_options {
  report::shown_frames shown;
  std::vector<std::string> of;
  std::string before, after;
  std::size_t sites = 25;
  std::optional<std::string> fail_above;
};

std::string change(double before, double after) {
  if (before == after) return "=";
  if (before == 0) return "new";
  if (after == 0) return "gone";
  return fmt::format("{:+.1f} %", 100 * (after / before - 1));
}

/// The direction in which a figure gets better.
enum class good : unsigned char { less, more, neither };

// Returns the colour of a difference. On a noisy machine less than a tenth is no difference.
emphasis colour_of(double before, double after, good direction) {
  constexpr double noise = 0.1;
  if (direction == good::neither || std::abs(after - before) <= noise * before) return emphasis::none;
  return (after < before) == (direction == good::less) ? emphasis::better : emphasis::worse;
}

std::string totals(const report::summary& a, const report::summary& b, std::size_t width, const palette& paint) {
  using enum table::side;
  table t{{{"", left}, {"before"}, {"after"}, {"change"}}};
  const auto add = [&](const char* name, double before, double after, auto shown, good direction) {
    t.add({name, shown(before), shown(after), change(before, after)}, colour_of(before, after, direction));
  };
  const auto d = [](std::uint64_t n) { return static_cast<double>(n); };
  add("time", d(a.run.wall), d(b.run.wall), duration, good::less);
  add("work", d(a.roots.work), d(b.roots.work), duration, good::less);
  add("span", d(a.roots.span_high), d(b.roots.span_high), duration, good::less);
  add("burdened span", d(a.roots.burdened_span), d(b.roots.burdened_span), duration, good::less);
  add("parallelism", a.roots.parallelism().low, b.roots.parallelism().low, factor, good::more);
  add("serial share", a.serial_share, b.serial_share, [](double x) { return percent(x); }, good::less);
  add("forks", d(a.forks), d(b.forks), rough, good::neither);
  add("loops", d(a.loops), d(b.loops), rough, good::neither);
  add("promoted", d(a.promoted), d(b.promoted), rough, good::neither);
  add("stolen", d(a.stolen), d(b.stolen), rough, good::neither);
  return t.text(width, paint);
}

// The figures of a site that are compared. Two sites with one name in one file are distinguished by their order and not
// by their lines, because lines move.
struct side_of_site {
  double work = 0, forks = 0;
};
using key = std::pair<std::string, std::size_t>;

std::map<key, side_of_site> by_name(const loaded& l) {
  std::vector<const report::site_row*> rows;
  for (const auto& row : l.summary.sites) rows.push_back(&row);
  std::ranges::sort(rows, {}, [&](const auto* row) {
    return std::pair{l.summary.place_of(row->site).at.line, l.profile.sites[row->site].address};
  });
  std::map<std::string, std::size_t> seen;
  std::map<key, side_of_site> all;
  for (const auto* row : rows) {
    const report::place& where = l.summary.place_of(row->site);
    const std::string name = where.at.file.empty()
                                 ? where.name()
                                 : where.name() + " (" + where.at.file.substr(where.at.file.rfind('/') + 1) + ")";
    all[{name, seen[name]++}] = {static_cast<double>(row->work), static_cast<double>(row->forks)};
  }
  return all;
}

std::string sites(const loaded& a, const loaded& b, std::size_t width, std::size_t most, const palette& paint) {
  std::map<key, std::pair<side_of_site, side_of_site>> both;
  for (const auto& [name, site] : by_name(a)) both[name].first = site;
  for (const auto& [name, site] : by_name(b)) both[name].second = site;
  std::vector<std::pair<key, std::pair<side_of_site, side_of_site>>> rows{both.begin(), both.end()};
  std::ranges::sort(rows, std::greater<>{},
                    [](const auto& r) { return std::abs(r.second.second.work - r.second.first.work); });
  using enum table::side;
  table t{{{"site", left, true},
           {"work before"},
           {"after"},
           {"change"},
           {"forks before", right, false, 2},
           {"after", right, false, 2},
           {"change", right, false, 1}}};
  for (const auto& [name, site] : rows) {
    if (most-- == 0) break;
    const auto& [before, after] = site;
    t.add({name.second == 0 ? name.first : fmt::format("{} #{}", name.first, name.second + 1), duration(before.work),
           duration(after.work), change(before.work, after.work), rough(before.forks), rough(after.forks),
           change(before.forks, after.forks)},
          colour_of(before.work, after.work, good::less));
  }
  return t.empty() ? "" : "\n" + t.text(width, paint);
}

// Says that the same strands take longer beside each other, which no profile of one run tells.
std::string slowed_down(const loaded& a, const loaded& b, const palette& paint) {
  constexpr double least = 0.2;
  const summary &one = a.summary, &more = b.summary;
  const auto forks_alike = [&](std::uint64_t x, std::uint64_t y) { return std::max(x, y) - std::min(x, y) <= x / 100; };
  const bool is_same = forks_alike(one.forks, more.forks) && forks_alike(one.loops, more.loops);
  if (one.run.workers >= more.run.workers || !is_same || one.roots.work == 0) return "";
  const double growth = static_cast<double>(more.roots.work) / static_cast<double>(one.roots.work) - 1;
  if (growth < least) return "";
  const std::map<key, side_of_site> before = by_name(a);
  std::string where;
  double most = 0;
  for (const auto& [name, site] : by_name(b)) {
    const auto found = before.find(name);
    const double grew = site.work - (found != before.end() ? found->second.work : site.work);
    if (grew > most) most = grew, where = name.first;
  }
  return paint(
      emphasis::limit,
      fmt::format(
          "\nlimit  The same forks take {} more work on {} workers than on {}: memory bandwidth, caches or locks slow strands down beside each other, and more workers don't help.{}\n",
          percent(growth), more.run.workers, one.run.workers,
          where.empty() ? "" : fmt::format(" The work grew most in {}.", where)));
}

int diff(const diff_options& o) {
  std::optional<double> limit;
  if (o.fail_above) {
    limit = parse_share(*o.fail_above);
    if (!limit) throw refusal{"--fail-above: '" + *o.fail_above + "' is not a share; write e.g. 10% or 0.1"};
  }
  loaded a = load(o.before, symbols::resolve, o.shown), b = load(o.after, symbols::resolve, o.shown);
  narrow(a, o.of);
  narrow(b, o.of);
  const std::size_t width = columns(STDOUT_FILENO);
  const palette paint{STDOUT_FILENO};
  print(totals(a.summary, b.summary, width, paint) + sites(a, b, width, o.sites, paint) + slowed_down(a, b, paint));
  if (!limit) return success;
  const auto grew = [&](std::uint64_t before, std::uint64_t after) {
    return static_cast<double>(after) > static_cast<double>(before) * (1 + *limit);
  };
  const bool worse =
      grew(a.summary.roots.work, b.summary.roots.work) || grew(a.summary.roots.span_high, b.summary.roots.span_high);
  if (worse) print(fmt::format("\nwork or span grew by more than {}\n", percent(*limit)));
  return worse ? limit_exceeded : success;
}

}  // namespace

command add_diff(CLI::App& tine) {
  auto given = std::make_shared<diff_options>();
  CLI::App* app = tine.add_subcommand("diff", "Compare two profiles: totals, and the call sites that changed most.");
  app->add_option("BEFORE", given->before, "Profile to compare with")->required()->type_name("FILE");
  app->add_option("AFTER", given->after, "Newer profile")->required()->type_name("FILE");
  app->add_option("--sites", given->sites, "Maximum number of call sites to show")->capture_default_str();
  app->add_option("--fail-above", given->fail_above,
                  "Exit with 1 if work or span grew by more than this share, e.g. 10%");
  add_of(*app, given->of, false);
  add_shown_frames(*app, given->shown);
  app->footer(
      "Sites are matched by function and file, and within these by the order of their lines.\n\n"
      "Exit codes: 0 success; 1 `--fail-above` is exceeded; 2 wrong usage, or a file cannot be read.");
  return {app, [given] { return diff(*given); }};
}

}  // namespace tine::cli
