// Takes a part of the run out of a loaded profile.
#include "cli/narrow.hpp"

#include "cli/duration.hpp"
#include "cli/refusal.hpp"
#include "report/part.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace tine::cli {
namespace {

constexpr std::string_view in_roots = "roots", of_process = "process";

/// Returns what is behind the word and its colon.
std::optional<std::string> after(std::string_view word, const std::string& text) {
  if (!text.starts_with(word) || text.size() <= word.size() || text[word.size()] != ':') return {};
  return text.substr(word.size() + 1);
}

trace::profile in_time(const trace::profile& p, const std::string& text) {
  const std::size_t dots = text.find("..");
  const std::optional<double> from = parse_duration(text.substr(0, dots));
  const std::optional<double> to = dots == std::string::npos ? std::nullopt : parse_duration(text.substr(dots + 2));
  if (!from || !to || *from < 0 || !(*from < *to) || *to > 1e18)
    throw refusal{fmt::format(
        "--of: 'time:{}' is not a stretch of time since the start of the process; write e.g. time:1s..2.5s", text)};
  return report::between(p, static_cast<std::uint64_t>(*from), static_cast<std::uint64_t>(*to));
}

bool is_meant(const report::place& where, const std::string& text) {
  return where.short_line() == text || where.full_line() == text || where.full_line().ends_with("/" + text) ||
         where.name() == text;
}

}  // namespace

bool is_of_roots(const std::vector<std::string>& of) { return std::ranges::find(of, in_roots) != of.end(); }

symbols symbols_for(const std::vector<std::string>& of, symbols wanted) {
  const bool names_site =
      std::ranges::any_of(of, [](const std::string& text) { return after("site", text).has_value(); });
  return names_site ? symbols::resolve : wanted;
}

void narrow(loaded& l, const std::vector<std::string>& of) {
  bool is_cut = false;
  for (const std::string& text : of) {
    if (text == in_roots || text == of_process) continue;
    if (l.job) throw refusal{"--of: the ranks of a job have no common time, so a part is only taken of one profile"};
    if (const auto name = after("phase", text)) {
      l.profile = report::in_phase(l.profile, *name);
    } else if (const auto place = after("site", text)) {
      l.profile = report::below_sites(l.profile, sites_named(l.summary, *place));
    } else if (const auto stretch = after("time", text); stretch && !is_cut) {
      l.profile = in_time(l.profile, *stretch);
    } else if (stretch) {
      throw refusal{"--of: a stretch of time can only be the first part, because the others have times of their own"};
    } else {
      throw refusal{
          fmt::format("--of: '{}' is not a part of a run; write phase:NAME, site:PLACE or time:FROM..TO", text)};
    }
    is_cut = true;
    l.of += (l.of.empty() ? "" : ", ") + text;
  }
  if (!is_cut) return;
  l.summary = report::summarise(l.profile, std::move(l.summary.places));
}

std::vector<std::uint32_t> sites_named(const report::summary& s, const std::string& text) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < s.places.size(); ++i) {
    if (is_meant(s.place_of(i), text)) all.push_back(i);
  }
  if (!all.empty()) return all;
  std::vector<std::string> known;
  for (const auto& row : s.sites) {
    if (known.size() < 5) known.push_back(label(s, row.site));
  }
  throw refusal{fmt::format("'{}' is not a call site of this profile; those with the most work are {}", text,
                            fmt::join(known, ", "))};
}

}  // namespace tine::cli
