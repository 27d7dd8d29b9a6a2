// tine check: checks limits on a profile, for CI. It names the limits that are exceeded, by how much, and where to
// look, and those that cannot be judged.
#include "cli/command.hpp"
#include "cli/duration.hpp"
#include "cli/limiting_site.hpp"
#include "cli/load.hpp"
#include "cli/narrow.hpp"
#include "cli/print.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

struct check_options {
  report::shown_frames shown;
  std::string file;
  std::vector<std::string> of;
  std::optional<double> min_parallelism, min_burdened;
  std::optional<std::string> max_serial_share, max_span, max_space;
};

using parser = std::optional<double> (*)(const std::string&);

std::optional<double> parsed(const std::optional<std::string>& text, parser parse, const char* option,
                             const char* examples) {
  if (!text) return {};
  const auto value = parse(*text);
  if (!value) throw refusal{fmt::format("{}: '{}' is not a limit; write e.g. {}", option, *text, examples)};
  return value;
}

std::string site_to_blame(const loaded& l) {
  const limiting_site most = limiting_site_of(l);
  const std::string where =
      most.site == trace::nothing ? "strands of roots outside of any fork" : label(l.summary, most.site);
  const bool has_span = l.summary.critical.has_value();
  return fmt::format("most of the {}: {}, {}{}", has_span ? "span" : "work", where, percent(most.share),
                     has_span ? "" : " (profile with `trace` to see the span)");
}

std::string outside_to_blame(const loaded& l, std::string_view of) {
  const report::summary& s = l.summary;
  std::string text = fmt::format("most of {}: {} outside of all roots, before, between and after calls into tine", of,
                                 duration(static_cast<double>(s.outside)));
  if (s.sampled.functions.empty()) return text;
  const report::sampled_function& most = s.sampled.functions.front();
  return text + fmt::format("; {} of its processor time in {}", percent(most.share), most.label);
}

std::string serial_to_blame(const loaded& l) {
  const report::summary& s = l.summary;
  const std::uint64_t inside = s.serial - std::min(s.serial, s.outside);
  if (s.outside >= inside || l.profile.roots.empty()) return outside_to_blame(l, "it");
  const auto worst = std::ranges::max_element(l.profile.roots, {}, &trace::root::serial);
  return fmt::format("most of it: {} in root {}, {} after the start of the process; {}",
                     duration(static_cast<double>(worst->serial)), worst - l.profile.roots.begin(),
                     duration(static_cast<double>(worst->begin)), site_to_blame(l));
}

// Says by which factor `is` differs from `limit`; both are above 0 as a rule.
std::string by_how_much(double is, double limit) {
  if (is <= 0 || limit <= 0) return "";
  return fmt::format(", a factor of {}", factor(std::max(is, limit) / std::min(is, limit)));
}

struct verdict {
  std::vector<std::string> bad;       // limits that are exceeded, a line each
  std::vector<std::string> unjudged;  // options whose limits cannot be judged by the profile
};

// Limits are for roots, unless the user names a part of the run.
bool is_of_all(const check_options& o) { return !o.of.empty() && !is_of_roots(o.of); }

const report::extent& extent_of(const check_options& o, const loaded& l) {
  return is_of_all(o) ? l.summary.process : l.summary.roots;
}

// If profiling took too much of the measured time, the profile says little about times. Bytes do not depend on times.
verdict verdict_on(const check_options& o, const loaded& l) {
  const report::extent& all = extent_of(o, l);
  const bool is_all = is_of_all(o);
  const bool judges_times = l.summary.costs.doubt.empty();
  const auto span_to_blame = [&](const loaded&) {
    return is_all && l.summary.outside >= all.span_high / 2 ? outside_to_blame(l, "the span") : site_to_blame(l);
  };
  verdict v;
  const auto at_least = [&](const char* option, std::optional<double> limit, double is, const char* what) {
    if (limit && !judges_times) {
      v.unjudged.emplace_back(option);
    } else if (limit && is < *limit) {
      v.bad.push_back(fmt::format("{} is {}, at least {} is wanted{}; {}", what, factor(is), factor(*limit),
                                  by_how_much(is, *limit), span_to_blame(l)));
    }
  };
  at_least("--min-parallelism", o.min_parallelism, all.parallelism().low,
           is_all ? "parallelism of the process" : "parallelism");
  at_least("--min-burdened-parallelism", o.min_burdened, all.burdened_parallelism(),
           is_all ? "burdened parallelism of the process" : "burdened parallelism");

  const auto at_most = [&](double limit, double is, const char* what, auto shown, const std::string& blame) {
    if (is > limit) {
      v.bad.push_back(fmt::format("{} is {}, at most {} is wanted{}; {}", what, shown(is), shown(limit),
                                  by_how_much(is, limit), blame));
    }
  };
  const auto time_at_most = [&](const char* option, std::optional<double> limit, double is, const char* what,
                                auto shown, auto blame) {
    if (limit && !judges_times) {
      v.unjudged.emplace_back(option);
    } else if (limit) {
      at_most(*limit, is, what, shown, blame(l));
    }
  };
  const auto share = [](double x) { return percent(x); };
  time_at_most("--max-serial-share", parsed(o.max_serial_share, parse_share, "--max-serial-share", "5% or 0.05"),
               l.summary.serial_share, "serial share", share, serial_to_blame);
  time_at_most("--max-span", parsed(o.max_span, parse_duration, "--max-span", "5ms or 1.5s"),
               static_cast<double>(all.span_high), is_all ? "span of the process" : "span", duration, span_to_blame);
  if (const auto limit = parsed(o.max_space, parse_bytes, "--max-space", "64MiB or 1e9")) {
    if (l.profile.space.empty())
      throw refusal{o.file + ": has no space in it; profile with `space`, or leave out --max-space"};
    at_most(*limit, static_cast<double>(l.profile.space.front().worst_peak), "S∞", bytes,
            "the report's column `bytes` says where");
  }
  return v;
}

int check(const check_options& o) {
  if (!o.min_parallelism && !o.min_burdened && !o.max_serial_share && !o.max_span && !o.max_space) {
    throw refusal{"no limit is given, so nothing would be checked; see `tine check --help`"};
  }
  loaded l = load(o.file, symbols::resolve, o.shown);
  narrow(l, o.of);
  const verdict v = verdict_on(o, l);
  std::string text;
  for (const std::string& line : v.bad) text += o.file + ": " + line + "\n";
  if (!v.unjudged.empty())
    text += fmt::format("{}: cannot judge {}: {}\n", o.file, fmt::join(v.unjudged, ", "), l.summary.costs.doubt);
  const report::extent& all = extent_of(o, l);
  const auto p = all.parallelism();
  if (text.empty()) {
    text = fmt::format("{}: good: parallelism {}, serial share {}, span {}\n", o.file, range(p.low, p.high),
                       percent(l.summary.serial_share), duration(static_cast<double>(all.span_high)));
  }
  print(text);
  if (!v.bad.empty()) return limit_exceeded;
  return v.unjudged.empty() ? success : unjudged;
}

}  // namespace

command add_check(CLI::App& tine) {
  auto given = std::make_shared<check_options>();
  CLI::App* app = tine.add_subcommand("check", "Check a profile against limits, in CI.");
  app->add_option("PROFILE", given->file, "Profile, written by `tine profile` or TINE_PROFILE")
      ->required()
      ->type_name("FILE");
  app->add_option("--min-parallelism", given->min_parallelism,
                  "Minimum of work over span; the lower end counts if it is an interval")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--min-burdened-parallelism", given->min_burdened, "Minimum of work over burdened span")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--max-serial-share", given->max_serial_share,
                  "Maximum share of the process's work that runs alone, e.g. 5% or 0.05");
  app->add_option("--max-span", given->max_span, "Maximum span, e.g. 5ms or 1.5s");
  add_of(*app, given->of, true);
  app->add_option("--max-space", given->max_space, "Maximum of S∞, the memory held in the worst schedule, e.g. 64MiB");
  add_shown_frames(*app, given->shown);
  app->footer(
      "Limits on parallelism and span are for roots, unless --of names a part of the run.\n\n"
      "Exit codes: 0 all limits are met; 1 a limit is exceeded: prints by how much, and the site that contributes most;\n"
      "2 wrong usage, or the file cannot be read; 3 no limit is known to be exceeded, but profiling took so much of the time\n"
      "that the profile cannot judge limits on times: says why, and what to run instead.");
  return {app, [given] { return check(*given); }};
}

}  // namespace tine::cli
