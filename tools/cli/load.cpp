// Loads a profile, or those of all ranks, with its summary.
#include "cli/load.hpp"

#include "cli/print.hpp"
#include "cli/printable.hpp"
#include "cli/progress.hpp"
#include "report/merge_sites.hpp"
#include "report/races.hpp"
#include "report/resolve_sites.hpp"
#include "trace/description.hpp"
#include "trace/read_profile.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

void make_printable(std::string& text) { text = printable(std::move(text)); }

// Changes all texts of the profile but those of modules, which name files that symbols are read from.
void make_printable(trace::profile& p) {
  for (const trace::field& table : trace::tables()) {
    void* const rows = table.in(&p);
    if (rows == &p.modules) continue;
    const trace::type& t = *table.type;
    for (const trace::field& f : trace::row_of(table).fields) {
      if (f.type->is != trace::type::kind::text) continue;
      const auto change = [&](void* row) { make_printable(*static_cast<std::string*>(f.in(row))); };
      if (t.is != trace::type::kind::list) {
        change(rows);
      } else {
        for (std::size_t i = 0; i < t.size(rows); ++i) change(t.in(rows, i));
      }
    }
  }
}

void make_printable(report::place& where) {
  make_printable(where.fallback), make_printable(where.at.function), make_printable(where.at.file);
  for (std::vector<report::frame>* frames : {&where.chain, &where.callers}) {
    for (report::frame& f : *frames) make_printable(f.function), make_printable(f.file);
  }
}

trace::profile read(const std::string& path) {
  trace::profile p = trace::read_profile(path);
  make_printable(p);
  return p;
}

// Looks up the source of sites and samples, if it is wanted, and computes the summary.
void summarise(loaded& l, symbols wanted, const report::shown_frames& shown) {
  auto places = wanted == symbols::resolve ? report::resolve_sites(l.profile, shown) : std::vector<report::place>{};
  l.unmatched = report::unmatched(shown.skip, places);
  for (report::place& where : places) make_printable(where);
  auto sampled = wanted == symbols::resolve ? report::resolve_samples(l.profile, shown) : std::vector<report::place>{};
  l.unmatched = report::unmatched(l.unmatched, sampled);
  for (report::place& where : sampled) make_printable(where);
  report::merge_sites(l.profile, places);
  report::tell_apart(places);
  l.summary = report::summarise(l.profile, std::move(places), std::move(sampled));
}

loaded read_all(const std::string& path, symbols wanted, const report::shown_frames& shown,
                std::vector<report::suppression>& suppressed) {
  const progress reading{"reading " + printable(path)};
  loaded l;
  l.profile = read(path);
  summarise(l, wanted, shown);
  report::race_sources sources = wanted == symbols::resolve ? report::resolve_races(l.profile) : report::race_sources{};
  for (auto& [address, where] : sources.code) make_printable(where);
  for (auto& [address, global] : sources.data) make_printable(global.name);
  l.summary.races = report::find_races(l.profile, sources, suppressed);
  if (!l.profile.timeline.empty()) {
    l.summary.timeline = report::timeline_of(l.profile);
    if (wanted == symbols::resolve)
      l.summary.timeline->places = report::resolve_addresses(l.profile, l.summary.timeline->sites, shown);
    l.unmatched = report::unmatched(l.unmatched, l.summary.timeline->places);
    for (report::place& where : l.summary.timeline->places) make_printable(where);
  }
  return l;
}

// A pattern that matches nothing is no error, because the profile before or after a change may not have the wrapper.
void say_unmatched(const std::string& path, const loaded& l) {
  for (const std::string& pattern : l.unmatched) {
    const bool has_namespace = pattern.find("::") != std::string::npos;
    print_error(path + ": --skip '" + printable(pattern) + "' matches no function and no file at its call sites" +
                (has_namespace ? "; names have no namespaces if the program was built with -g1\n" : "\n"));
  }
}

}  // namespace

loaded load(const std::string& path, symbols wanted, const report::shown_frames& shown) {
  std::vector<report::suppression> none;
  return load(path, wanted, shown, none);
}

loaded load(const std::string& path, symbols wanted, const report::shown_frames& shown,
            std::vector<report::suppression>& suppressed) {
  loaded l = read_all(path, wanted, shown, suppressed);
  say_unmatched(printable(path), l);
  return l;
}

std::optional<loaded> load_job(const std::vector<std::string>& paths, const report::shown_frames& shown,
                               std::string& why_not) {
  std::optional<progress> reading{"reading " + std::to_string(paths.size()) + " profiles"};
  std::vector<report::member> all;
  for (const std::string& path : paths) {
    trace::profile p = read(path);
    report::summary s = report::summarise(p);
    all.push_back({printable(path), std::move(p), std::move(s)});
  }
  if (why_not = report::why_no_job(all); !why_not.empty()) return std::nullopt;
  std::ranges::sort(all, {}, [](const report::member& m) { return m.profile.rank.front().rank; });
  loaded l;
  l.job = report::join(all);
  l.profile = report::joined_profile(all);
  summarise(l, symbols::resolve, shown);
  report::describe(l.summary, *l.job, all);
  reading.reset();
  say_unmatched("all profiles", l);
  return l;
}

std::string label(const report::summary& s, std::uint32_t site) {
  if (site == trace::nothing) return "(no fork)";
  const report::place& where = s.place_of(site);
  const std::string line = where.short_line();
  return line.empty() ? where.name() : where.name() + " (" + line + ")";
}

}  // namespace tine::cli
