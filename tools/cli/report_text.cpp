// Prints a profile as text. There is one function for each part of the report, in the order of the parts.
#include "cli/report_text.hpp"

#include "cli/duration.hpp"
#include "cli/job_text.hpp"
#include "cli/limiting_site.hpp"
#include "cli/phase_text.hpp"
#include "cli/table.hpp"
#include "cli/timeline_text.hpp"
#include "report/columns.hpp"
#include "report/description.hpp"
#include "report/view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tine::cli {
namespace {

using report::summary;

std::string signal_name(std::uint32_t number) {
  const char* name = strsignal(static_cast<int>(number));
  return name != nullptr ? name : "unknown";
}

std::string how_it_ended(const trace::run& r) {
  switch (r.ended) {
    case trace::ending::normal:
      return "ran";
    case trace::ending::exception:
      return "ended by an exception after it had run";
    case trace::ending::terminated:
      return "was terminated after it had run";
    case trace::ending::signalled:
      return fmt::format("cut short by signal {} ({}) after it had run", r.signal, signal_name(r.signal));
    case trace::ending::running:
      return "a snapshot of a run that had taken";
  }
  return "ran";
}

// Says what is unknown because the profile was written before all roots had ended.
std::string unfinished(const trace::profile& p) {
  std::uint64_t open = 0;
  for (const trace::root& r : p.roots) open += r.is_open ? r.count : 0;
  if (open == 0) return {};
  const bool counted = (p.run.analyses & trace::grain) != 0;
  return fmt::format("unfinished  {} root{} had not ended: {}\n", open, open == 1 ? "" : "s",
                     counted
                         ? "work and forks are those that were counted by then; the span lies between the bounds shown"
                         : "without the analysis `grain` nothing is known of them");
}

// Says which forks and loops were only counted, so that the file stays within its size.
std::string coarser(const trace::run& r) {
  if (r.asked_threshold == 0 || r.threshold <= r.asked_threshold + r.asked_threshold / 100) return {};
  return fmt::format(
      "resolution  forks and loops with less work than {} are only counted; it was {} at first, until the profile was full (--max-size)\n",
      duration(static_cast<double>(r.threshold)), duration(static_cast<double>(r.asked_threshold)));
}

std::string heading(const loaded& l, std::size_t width, const palette& paint) {
  const trace::run& r = l.summary.run;
  std::string text = paint(emphasis::heading, shortened(r.command, width)) + "\n";
  const std::string ranks = l.job ? fmt::format(" in {} ranks", l.job->by_rank.size()) : "";
  text += fmt::format("{} {} with {} worker{}{}", how_it_ended(r), duration(static_cast<double>(r.wall)), r.workers,
                      r.workers == 1 ? "" : "s", ranks);
  if (!r.machine.empty()) text += " on " + r.machine;
  if (!l.of.empty()) text += "\nonly " + l.of;
  return text + "\n\n";
}

std::string extents(const loaded& l, std::size_t width, const palette& paint) {
  const summary& s = l.summary;
  using enum table::side;
  table t{{{"", left},
           {"work"},
           {"span"},
           {"burdened span", right, false, 1},
           {"parallelism"},
           {"burdened", right, false, 1}}};
  const auto add = [&](const std::string& name, const report::extent& e) {
    const auto p = e.parallelism();
    const std::string low = duration(static_cast<double>(e.span_low)),
                      high = duration(static_cast<double>(e.span_high));
    t.add({name, duration(static_cast<double>(e.work)), low == high ? low : low + "–" + high,
           duration(static_cast<double>(e.burdened_span)), range(p.low, p.high), factor(e.burdened_parallelism())});
  };
  add("in roots", s.roots);
  add(l.job ? "whole job" : l.of.empty() ? "whole process" : "whole part", s.process);
  return t.text(width, paint) + "\n";
}

// Lists the functions in which the time outside of roots was spent.
std::string outside(const summary& s) {
  const report::sampled_time& t = s.sampled;
  constexpr std::size_t most = 5;
  std::string text;
  if (!t.problem.empty()) text += fmt::format("outside     not located: {}\n", t.problem);
  if (!t.is_known || t.all == 0) return text;
  text += fmt::format("outside     {} of processor time sampled:", duration(static_cast<double>(t.all)));
  double shown = 0;
  for (std::size_t i = 0; i < std::min(most, t.functions.size()); ++i) {
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", percent(t.functions[i].share), t.functions[i].label);
    shown += t.functions[i].share;
  }
  if (shown < 0.999) text += fmt::format("{} {} elsewhere", t.functions.empty() ? "" : ",", percent(1 - shown));
  return text + "\n";
}

std::string shares(const summary& s) {
  const auto ns = [](std::uint64_t n) { return duration(static_cast<double>(n)); };
  std::string text = fmt::format("serial      {}: {} outside of roots, {} in them\n", percent(s.serial_share),
                                 ns(s.outside), ns(s.serial - std::min(s.serial, s.outside)));
  text += outside(s);
  const bool is_sampled = (s.run.analyses & trace::sampled) != 0;
  text += fmt::format("forks       {}{}", count(s.forks),
                      is_sampled ? " observed; a sampled profile does not count the others" : "");
  if (!is_sampled && s.loops != 0)
    text += fmt::format(", and {} loops of {} iterations in all", count(s.loops), count(s.iterations));
  if (!s.sites.empty())
    text += fmt::format("; {} promoted, {} stolen by other workers", count(s.promoted), count(s.stolen));
  text += '\n';
  const std::string forking =
      is_sampled ? ""
                 : fmt::format("forking {} ({}{} of the work), ", duration(s.costs.forking),
                               s.costs.forking_share_is_bound ? "≥ " : "", percent(s.costs.forking_share));
  text += fmt::format("cost        {}this profile {} ({}){}\n", forking, duration(s.costs.profiling),
                      percent(s.costs.profiling_share),
                      s.run.burden_is_measured ? "" : "; usual costs, `tine calibrate` measures this machine's");
  return text;
}

// Says which sites have a name only.
std::string without_lines(const summary& s) {
  const auto is_nameless = [](const report::place& p) { return !p.at.function.empty() && p.at.file.empty(); };
  const auto n = std::ranges::count_if(s.places, is_nameless);
  if (n == 0) return {};
  return fmt::format(
      "lines       {} call site{} no line: the program has no debug information there; compile it with -g1\n", n,
      n == 1 ? " has" : "s have");
}

std::string with_unit(double value, trace::unit of) {
  switch (of) {
    case trace::unit::nanoseconds:
      return duration(value);
    case trace::unit::share:
      return percent(value);
    case trace::unit::bytes:
      return bytes(value);
    case trace::unit::factor:
      return factor(value);
    case trace::unit::none:
    case trace::unit::address:
    case trace::unit::flags:
      break;
  }
  return rough(value);
}

std::string shown(const trace::type& t, const void* value, trace::unit of) {
  using kind = trace::type::kind;
  switch (t.is) {
    case kind::optional:
      return t.size(value) == 0 ? "–" : shown(*t.element, t.in(value, 0), of);
    case kind::unsigned_number:
    case kind::boolean:
      return with_unit(static_cast<double>(trace::number_in(t, value)), of);
    case kind::signed_number:
      return with_unit(static_cast<double>(*static_cast<const std::int64_t*>(value)), of);
    case kind::real:
      return with_unit(*static_cast<const double*>(value), of);
    case kind::enumeration:
    case kind::text:
    case kind::view:
    case kind::row:
    case kind::list:
      break;
  }
  return "–";
}

std::string shown(const trace::field& f, const void* row) { return shown(*f.type, f.value(row).get(), f.of); }

std::string space(const trace::profile& p) {
  if (p.space.empty()) return {};
  const trace::space_totals& t = p.space.front();
  return fmt::format("space       S₁ {} on one worker, S∞ {} over all schedules; {} left; {} allocations of {}\n",
                     bytes(static_cast<double>(t.serial_peak)), bytes(static_cast<double>(t.worst_peak)),
                     bytes(static_cast<double>(t.left)), count(t.allocations), bytes(static_cast<double>(t.allocated)));
}

std::string races(const loaded& l) {
  if (l.profile.race.empty()) return {};
  const trace::race_totals& t = l.profile.race.front();
  const std::size_t found = l.summary.races.races.size();
  const double accesses = static_cast<double>(t.reads) + static_cast<double>(t.writes);
  std::string text = fmt::format("races       {} in {} accesses{}\n", found == 0 ? "none" : count(found),
                                 rough(accesses), found == 0 ? "" : "; `tine race --read PROFILE` shows them");
  if (!t.incomplete.empty())
    text += fmt::format("            A part of the run was not checked, because {}.\n", t.incomplete);
  return text;
}

std::string rank(const trace::profile& p) {
  if (p.rank.empty()) return {};
  const trace::rank_totals& t = p.rank.front();
  return fmt::format(
      "rank        {} of {}: without work for {} of {} in calls that share work; {} messages with work came, {} tasks and iterations went; {} messages of {} sent\n",
      t.rank, t.ranks, duration(static_cast<double>(t.without_work)), duration(static_cast<double>(t.in_calls)),
      count(t.steals), count(t.given), count(t.messages), bytes(static_cast<double>(t.bytes)));
}

// Lists the figures of each analysis that has a row of its own in the profile, except for those that have a line of
// their own.
std::string figures(const trace::profile& p) {
  std::string text;
  for (const trace::field& table : trace::tables()) {
    const void* const rows = table.in(&p);
    const bool has_own_line = rows == &p.space || rows == &p.race || rows == &p.rank || rows == &p.timeline;
    if (!table.at_most_one || has_own_line || table.type->size(rows) == 0) continue;
    std::string line;
    for (const trace::field& f : trace::row_of(table).fields)
      line += fmt::format("{}{} {}", line.empty() ? "" : ", ", f.name, shown(f, table.type->in(rows, 0)));
    text += fmt::format("{:<11} {}\n", table.name, line);
  }
  return text;
}

std::string speed(const summary& s) {
  std::string text = "speed-up   ";
  for (const unsigned workers : {2u, 4u, 8u, 16u, 64u, 256u}) {
    const report::band b = report::speed_up(s.process, workers);
    text += fmt::format(" {}: {}{}", workers, range(b.low, b.high), workers == 256 ? "" : ",");
  }
  return text + "  workers, whole process\n\n";
}

std::string_view kind_name(trace::construct kind) {
  constexpr std::array<std::string_view, 4> names{"fork", "loop", "coro", "task"};
  return names[static_cast<std::size_t>(kind)];
}

// Returns the field of a site that a column shows.
std::string cell(const report::site_view& site, std::string_view key) {
  std::string text;
  for (const trace::field& f : trace::type_of<report::site_view>().fields) {
    if (f.name == key) text = shown(f, &site);
  }
  return (key == "work_per_fork" && site.work_per_fork_is_bound.value_or(false) ? "≤ " : "") + text;
}

std::string sites(const loaded& l, std::size_t width, std::size_t most, const palette& paint) {
  using enum table::side;
  const std::vector<report::site_column> shown_columns = report::columns_with(l.profile.run.analyses);
  std::vector<table::column> columns{{"site", left, true}, {"kind", left, false, 5}};
  for (const report::site_column& c : shown_columns) columns.push_back({std::string{c.heading}, right, false, c.rank});
  table t{columns};
  const std::uint32_t limiting = limiting_site_of(l).site;
  for (const report::site_row& row : l.summary.sites) {
    if (most-- == 0) break;
    const report::site_view site = report::view_of_site(l.profile, l.summary, row);
    std::vector<std::string> cells{label(l.summary, row.site), std::string{kind_name(site.counted.kind)}};
    for (const report::site_column& c : shown_columns) cells.push_back(cell(site, c.key));
    t.add(cells, row.site == limiting ? emphasis::limit : emphasis::none);
  }
  if (t.empty())
    return l.summary.forks + l.summary.loops == 0 ? "no forks\n" : "no call sites: the analysis `grain` counts them\n";
  std::string text = t.text(width, paint);
  const std::size_t all = l.summary.sites.size(), shown = std::min(all, t.rows());
  if (shown < all) text += fmt::format("… and {} more sites; --sites {} shows them\n", all - shown, all);
  return text;
}

}  // namespace

std::string report_text(const loaded& l, std::size_t width, std::size_t most_sites, const palette& paint) {
  return heading(l, width, paint) + extents(l, width, paint) + (l.job ? job_text(*l.job, width, paint) : "") +
         unfinished(l.profile) + shares(l.summary) + without_lines(l.summary) + coarser(l.profile.run) +
         space(l.profile) + races(l) + rank(l.profile) + figures(l.profile) + (l.job ? "\n" : speed(l.summary)) +
         timeline_text(l, width, paint) + phase_text(l, width, paint) + sites(l, width, most_sites, paint);
}

}  // namespace tine::cli
