// Prints the timeline of a profile, as text and as JSON.
#include "cli/timeline_text.hpp"

#include "cli/duration.hpp"
#include "cli/table.hpp"
#include "report/timeline.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tine::cli {
namespace {

using report::worker_state;

constexpr worker_state states[] = {worker_state::running,  worker_state::interrupted, worker_state::getting_work,
                                   worker_state::no_token, worker_state::waiting,     worker_state::no_work,
                                   worker_state::outside};
constexpr std::size_t most_shown = 16, most_shortages = 3;

std::string shown(std::uint64_t nanoseconds) { return duration(static_cast<double>(nanoseconds)); }

std::string heading(const loaded& l) {
  const report::timeline& t = *l.summary.timeline;
  const trace::timeline_totals& totals = l.profile.timeline.front();
  std::string text = fmt::format("timeline    {} to {} after the start, {} worker{}", shown(t.begin), shown(t.end),
                                 t.times.size(), t.times.size() == 1 ? "" : "s");
  std::uint64_t left_out = 0;
  for (const trace::timeline_worker& w : l.profile.timeline_workers) left_out += w.left_out;
  if (left_out == 0) return text + "\n";
  text += fmt::format("; {} older events are left out", count(left_out));
  // A ring or the file was full before the whole of the asked time was in it. A hundredth of the time is a matter of
  // rounding.
  const std::uint64_t got = t.end - t.begin;
  if (totals.asked_last == 0 || got + totals.asked_last / 100 < std::min(totals.asked_last, t.end))
    text += ", a larger --max-size keeps them";
  return text + "\n";
}

void add_row(table& t, const std::string& name, const std::array<std::uint64_t, report::worker_states>& times) {
  std::uint64_t all = 0;
  for (const std::uint64_t time : times) all += time;
  std::vector<std::string> row{name};
  for (const worker_state s : states) {
    const std::uint64_t time = times[static_cast<std::size_t>(s)];
    row.push_back(time == 0 ? "–" : percent(static_cast<double>(time) / static_cast<double>(all)));
  }
  t.add(row);
}

std::string utilisation(const loaded& l, std::size_t width, const palette& paint) {
  const report::timeline& t = *l.summary.timeline;
  std::vector<table::column> columns{{"", table::side::left, true}};
  for (const worker_state s : states) columns.push_back({std::string{name_of(s)}});
  table shares{columns};
  std::array<std::uint64_t, report::worker_states> all{};
  for (const worker_state s : states) all[static_cast<std::size_t>(s)] = t.time_of(s);
  if (t.times.size() > 1) add_row(shares, "all workers", all);
  for (std::uint32_t w = 0; w < std::min(t.times.size(), most_shown); ++w)
    add_row(shares, report::name_of_worker(l.profile, w), t.times[w]);
  std::string text = shares.text(width, paint);
  if (t.times.size() > most_shown)
    text += fmt::format("… and {} more workers; --json has them all\n", t.times.size() - most_shown);
  return text;
}

std::string who_had_it(const loaded& l, const report::shortage& s) {
  if (s.owner == trace::nothing) return "";
  return fmt::format(", at {} in {}", report::name_of_worker(l.profile, s.owner), l.summary.timeline->label(s.site));
}

std::string shortages(const loaded& l) {
  const report::timeline& t = *l.summary.timeline;
  if (t.shortages.empty()) return "No worker was idle while there was work.\n";
  std::uint64_t all = 0;
  for (const report::shortage& s : t.shortages) all += s.end - s.begin;
  std::string text = fmt::format("{} with idle workers while there was work, in {} stretch{}; the longest:\n",
                                 shown(all), count(t.shortages.size()), t.shortages.size() == 1 ? "" : "es");
  for (std::size_t i = 0; i < std::min(most_shortages, t.shortages.size()); ++i) {
    const report::shortage& s = t.shortages[i];
    text += fmt::format("  {} from {} on: {} idle, {}{}\n", shown(s.end - s.begin), shown(s.begin), s.idle,
                        s.is_for_tokens ? "work without a token" : "work that was pending or queued", who_had_it(l, s));
  }
  return text;
}

}  // namespace

std::string timeline_text(const loaded& l, std::size_t width, const palette& paint) {
  if (!l.summary.timeline) return {};
  return heading(l) + "\n" + utilisation(l, width, paint) + "\n" + shortages(l) + "\n";
}

void add_timeline(nlohmann::ordered_json& into, const loaded& l) {
  if (!l.summary.timeline) return;
  const report::timeline& t = *l.summary.timeline;
  using json = nlohmann::ordered_json;
  into["workers"] = json::array();
  for (std::uint32_t w = 0; w < t.times.size(); ++w) {
    const report::event_counts& c = t.counts[w];
    json row{{"name", report::name_of_worker(l.profile, w)}, {"left_out", l.profile.timeline_workers[w].left_out}};
    for (const worker_state s : states) {
      std::string name{name_of(s)};
      std::ranges::replace(name, ' ', '_');
      row["ns"][name] = t.times[w][static_cast<std::size_t>(s)];
    }
    row["events"] = {{"promotions", c.promotions},   {"steals", c.steals}, {"reclaimed", c.reclaimed},
                     {"suspensions", c.suspensions}, {"sleeps", c.sleeps}, {"signals", c.signals}};
    into["workers"].push_back(std::move(row));
  }
  into["shortages"] = json::array();
  for (const report::shortage& s : t.shortages) {
    json row{{"begin_ns", s.begin}, {"end_ns", s.end}, {"idle", s.idle}, {"for_tokens", s.is_for_tokens}};
    if (s.owner != trace::nothing) {
      row["owner"] = report::name_of_worker(l.profile, s.owner);
      row["site"] = t.label(s.site);
    }
    into["shortages"].push_back(std::move(row));
  }
}

}  // namespace tine::cli
