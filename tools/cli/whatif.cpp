// tine whatif: the effect that changes of call sites would have on work, span and time.
#include "cli/command.hpp"
#include "cli/duration.hpp"
#include "cli/load.hpp"
#include "cli/narrow.hpp"
#include "cli/palette.hpp"
#include "cli/predicted.hpp"
#include "cli/print.hpp"
#include "cli/table.hpp"
#include "cli/worker_numbers.hpp"
#include "report/changed.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

using report::change;

struct whatif_options {
  report::shown_frames shown;
  std::string file;
  std::vector<std::string> faster, parallel, unburdened;
  std::vector<double> speedups;
  std::string workers = "1..32";
  std::vector<std::string> of;
  std::size_t sites = 25;
  bool json = false;
};

void add(std::vector<change>& all, const loaded& l, change::kind kind, const std::string& text, double factor = 1) {
  for (const std::uint32_t site : sites_named(l.summary, text)) all.push_back({kind, site, factor});
}

std::vector<change> changes_in(const whatif_options& o, const loaded& l) {
  if (o.speedups.size() > o.faster.size())
    throw refusal{"--speedup: there are more of them than --site; each belongs to one"};
  std::vector<change> all;
  for (std::size_t i = 0; i < o.faster.size(); ++i) {
    const double factor = i < o.speedups.size() ? o.speedups[i] : 2;
    if (!(factor > 0 && factor < 1e9))
      throw refusal{fmt::format("--speedup: {} is not a factor; write e.g. 2, or 0.5 for slower", factor)};
    add(all, l, change::kind::faster, o.faster[i], factor);
  }
  for (const std::string& text : o.parallel) add(all, l, change::kind::parallel, text);
  for (const std::string& text : o.unburdened) add(all, l, change::kind::unburdened, text);
  return all;
}

/// Returns what the user asks about, of a summary.
const report::extent& extent_in(const report::summary& s, const whatif_options& o) {
  return is_of_roots(o.of) ? s.roots : s.process;
}

report::extent after(const loaded& l, const std::vector<change>& changes, const whatif_options& o) {
  return extent_in(report::summarise(report::changed(l.profile, changes)), o);
}

// The effect of the changes that the user has named.

std::string said(const loaded& l, const change& c) {
  const std::string who = label(l.summary, c.site);
  if (c.is == change::kind::parallel) return who + " were perfectly parallel";
  if (c.is == change::kind::unburdened) return "stealing from " + who + " cost nothing";
  return c.factor >= 1 ? fmt::format("{} were {} times as fast", who, factor(c.factor))
                       : fmt::format("{} took {} times as long", who, factor(1 / c.factor));
}

std::string as_text(const loaded& l, const std::vector<change>& changes, const std::vector<unsigned>& workers,
                    const whatif_options& o) {
  const report::extent was = extent_in(l.summary, o), now = after(l, changes, o);
  std::string text = "What if ";
  for (std::size_t i = 0; i < changes.size(); ++i) text += (i == 0 ? "" : ", and ") + said(l, changes[i]);
  using enum table::side;
  table t{{{"", left}, {"now"}, {"then"}, {"change"}}};
  const auto times = [&](const char* what, std::uint64_t before, std::uint64_t then) {
    const auto a = static_cast<double>(before), b = static_cast<double>(then);
    t.add({what, duration(a), duration(b), difference(a, b)});
  };
  times("work", was.work, now.work);
  times("span", was.span_high, now.span_high);
  times("burdened span", was.burdened_span, now.burdened_span);
  const double p = was.parallelism().low, q = now.parallelism().low;
  t.add({"parallelism", factor(p), factor(q), difference(p, q)});
  for (const unsigned w : workers) {
    const predicted a = time_on(was, w), b = time_on(now, w);
    t.add({fmt::format("time on {}{}", w, is_projected(w) ? ", projected" : ""), text_of(a), text_of(b),
           difference(a.middle(), b.middle())});
  }
  return text + "?\n\n" + t.text(columns(STDOUT_FILENO), palette{STDOUT_FILENO}) + "\n";
}

// The effect of the same change on each site alone.

struct effect {
  std::uint32_t site;
  predicted faster, parallel, unburdened;
};

std::vector<effect> effects(const loaded& l, unsigned workers, double speedup, const whatif_options& o) {
  std::vector<effect> all;
  const auto time = [&](std::uint32_t site, change::kind kind) {
    return time_on(after(l, {{kind, site, speedup}}, o), workers);
  };
  for (const auto& row : l.summary.sites) {
    all.push_back({row.site, time(row.site, change::kind::faster), time(row.site, change::kind::parallel),
                   time(row.site, change::kind::unburdened)});
  }
  std::ranges::sort(all, {}, [](const effect& e) { return std::pair{e.faster.middle(), e.site}; });
  return all;
}

std::string as_table(const loaded& l, const std::vector<effect>& all, unsigned workers, double speedup,
                     const whatif_options& o) {
  const predicted now = time_on(extent_in(l.summary, o), workers);
  using enum table::side;
  table t{{{"call site", left, true},
           {"work"},
           {fmt::format("{} × faster", factor(speedup))},
           {"parallel"},
           {"no burden", right, false, 1}}};
  for (std::size_t i = 0; i < std::min(o.sites, all.size()); ++i) {
    const effect& e = all[i];
    const auto row = std::ranges::find(l.summary.sites, e.site, &report::site_row::site);
    t.add({label(l.summary, e.site), percent(row->work_share), difference(now.middle(), e.faster.middle()),
           difference(now.middle(), e.parallel.middle()), difference(now.middle(), e.unburdened.middle())});
  }
  return fmt::format("The time on {} workers{} is {}. One change at a time would change it by\n\n{}\n", workers,
                     is_projected(workers) ? ", projected," : "", text_of(now),
                     t.text(columns(STDOUT_FILENO), palette{STDOUT_FILENO}));
}

using json = nlohmann::ordered_json;

json times_of(const report::extent& e, const std::vector<unsigned>& workers) {
  json all = json::array();
  for (const unsigned w : workers) {
    const predicted t = time_on(e, w);
    all.push_back({{"workers", w}, {"projected", is_projected(w)}, {"low_ns", t.low}, {"high_ns", t.high}});
  }
  return all;
}

json extent_of(const report::extent& e, const std::vector<unsigned>& workers) {
  return {{"work_ns", e.work},
          {"span_ns", {{"low", e.span_low}, {"high", e.span_high}}},
          {"burdened_span_ns", e.burdened_span},
          {"parallelism", {{"low", e.parallelism().low}, {"high", e.parallelism().high}}},
          {"times", times_of(e, workers)}};
}

json changed_json(const loaded& l, const std::vector<change>& changes, const std::vector<unsigned>& workers,
                  const whatif_options& o) {
  return {{"now", extent_of(extent_in(l.summary, o), workers)}, {"then", extent_of(after(l, changes, o), workers)}};
}

json effects_json(const loaded& l, const std::vector<effect>& all, unsigned workers, const whatif_options& o) {
  json out = {{"workers", workers},
              {"projected", is_projected(workers)},
              {"time_ns", time_on(extent_in(l.summary, o), workers).middle()},
              {"sites", json::array()}};
  for (const effect& e : all) {
    out["sites"].push_back({{"site", label(l.summary, e.site)},
                            {"faster_ns", e.faster.middle()},
                            {"parallel_ns", e.parallel.middle()},
                            {"unburdened_ns", e.unburdened.middle()}});
  }
  return out;
}

int whatif(const whatif_options& o) {
  const std::vector<unsigned> workers = worker_numbers(o.workers);
  loaded l = load(o.file, symbols::resolve, o.shown);
  narrow(l, o.of);
  if (l.profile.nodes.empty())
    throw refusal{"this profile has no trace; profile the program with `tine profile` or TINE_PROFILE=trace"};
  const std::vector<change> changes = changes_in(o, l);
  if (!changes.empty()) {
    print(o.json ? changed_json(l, changes, workers, o).dump(2) + "\n" : as_text(l, changes, workers, o));
    return success;
  }
  const unsigned on = workers.back();
  const double speedup = 2;
  const std::vector<effect> all = effects(l, on, speedup, o);
  print(o.json ? effects_json(l, all, on, o).dump(2) + "\n" : as_table(l, all, on, speedup, o));
  return success;
}

}  // namespace

command add_whatif(CLI::App& tine) {
  auto given = std::make_shared<whatif_options>();
  CLI::App* app = tine.add_subcommand(
      "whatif", "Predict the effect of making call sites faster or parallel, or rank all call sites by it.");
  app->add_option("PROFILE", given->file, "Profile with a trace, written by `tine profile` or TINE_PROFILE=trace")
      ->required()
      ->type_name("FILE");
  app->add_option("--site", given->faster,
                  "Make everything below this call site faster, e.g. sort.cpp:40 or the name of a function")
      ->type_name("PLACE")
      ->allow_extra_args(false);
  app->add_option("--speedup", given->speedups, "Factor for each --site in turn; 2 by default, below 1 for slower")
      ->type_name("FACTOR")
      ->allow_extra_args(false);
  app->add_option("--parallelise", given->parallel, "Let everything below this call site run in parallel")
      ->type_name("PLACE")
      ->allow_extra_args(false);
  app->add_option("--unburden", given->unburdened, "Let steals from this call site cost nothing")
      ->type_name("PLACE")
      ->allow_extra_args(false);
  app->add_option(
         "--workers", given->workers,
         "Numbers of workers: FROM..TO in doublings, or a list such as 1,6,12; the table of all sites is for the last one")
      ->capture_default_str();
  add_of(*app, given->of, true);
  app->add_option("--sites", given->sites, "Maximum number of call sites in the table")->capture_default_str();
  add_shown_frames(*app, given->shown);
  app->add_flag("--json", given->json, "Print JSON: times in nanoseconds");
  app->footer(
      "Without a change, a table shows how the time would change for each call site: if everything below it took half of its\n"
      "time, if it had no span, and if steals from it cost nothing. The greatest effect comes first. Times are the band of\n"
      "`tine predict`; for more than two workers they are projections.\n\n"
      "Exit codes: 0 success; 2 wrong usage, or the file cannot be read or has no trace.");
  return {app, [given] { return whatif(*given); }};
}

}  // namespace tine::cli
