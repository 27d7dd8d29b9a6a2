// Weighs what limits a program: takes each limit away in turn, and compares the predicted times.
#include "cli/answer.hpp"

#include "cli/duration.hpp"
#include "cli/predicted.hpp"
#include "report/changed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

namespace tine::cli {
namespace {

using report::extent;
using report::summary;

std::string ns(std::uint64_t n) { return duration(static_cast<double>(n)); }

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

/// If profiling takes more than this share of the work, the work of a fork is hidden by it, and forking is a large part
/// of the little that is left.
constexpr double hidden_share = 0.75;

/// The parts of the critical path: of strands beside which nothing can run, and of the site that has most of the rest.
/// A leaf with forks below no site is a series of forks below the threshold; it counts for the site with the most work.
struct path_parts {
  std::uint64_t serial = 0, at_site = 0;
  std::uint32_t site = trace::nothing;

  explicit path_parts(const loaded& l) {
    if (!l.summary.critical) return;
    std::vector<std::uint64_t> own(l.profile.sites.size());
    const std::uint32_t usual = l.summary.sites.empty() ? trace::nothing : l.summary.sites.front().site;
    for (const report::step& step : l.summary.critical->steps) {
      const bool is_serial =
          step.site == trace::nothing && (usual == trace::nothing || l.profile.nodes[step.node].forks == 0);
      (is_serial ? serial : own[step.site != trace::nothing ? step.site : usual]) += step.length;
    }
    const auto most = std::ranges::max_element(own);
    if (most == own.end() || *most == 0) return;
    at_site = *most;
    site = static_cast<std::uint32_t>(most - own.begin());
  }
};

/// A limit, with what the program would be without it.
struct candidate {
  limit is;
  extent without;
  const char* if_removed;  ///< begins the sentence about the time without it
};

extent less_span(extent e, std::uint64_t less) {
  for (std::uint64_t* span : {&e.span_low, &e.span_high, &e.burdened_span}) *span -= std::min(*span, less);
  return e;
}

/// As `e`, with the time outside of roots spread over all workers.
extent without_outside(extent e) {
  e = less_span(e, e.outside);
  e.outside = 0;
  return e;
}

extent without_forking(extent e, double share) {
  for (std::uint64_t* time : {&e.work, &e.span_low, &e.span_high, &e.burdened_span}) {
    const double inside = static_cast<double>(*time - std::min(*time, e.outside));
    *time -= static_cast<std::uint64_t>(inside * share);
  }
  return e;
}

extent without_burden(extent e) {
  e.burdened_span = e.span_high;
  return e;
}

class weighing {
 public:
  weighing(const loaded& l, const std::string& file) : l_{l}, s_{l.summary}, file_{file}, parts_{l} {
    candidates_.push_back({limit::outside, without_outside(s_.process), "If it were spread over all workers"});
    if (s_.critical) {
      candidates_.push_back(
          {limit::serial_strand, less_span(s_.process, parts_.serial), "If that part could run beside the rest"});
      if (parts_.site != trace::nothing) {
        const report::change change{report::change::kind::parallel, parts_.site};
        candidates_.push_back({limit::narrow, report::summarise(report::changed(l.profile, {change})).process,
                               "If what runs there could all run at once"});
      }
    }
    candidates_.push_back(
        {limit::too_fine, without_forking(s_.process, s_.costs.forking_share), "If forking cost nothing"});
    candidates_.push_back({limit::too_short, without_burden(s_.process), "If moving them cost nothing"});
  }

  /// Returns the largest limit on so many workers; null if none takes enough time.
  const candidate* largest(unsigned workers) const {
    const auto time = [&](const candidate& c) { return time_on(c.without, workers).middle(); };
    const auto best = std::ranges::min_element(candidates_, {}, time);
    const double now = time_on(s_.process, workers).middle();
    return time(*best) <= (1 - least_gain) * now ? &*best : nullptr;
  }

  std::string where(limit is) const {
    if (is == limit::outside) return s_.sampled.functions.empty() ? "" : s_.sampled.functions.front().label;
    if (is == limit::narrow) return label(s_, parts_.site);
    if (is == limit::too_fine || is == limit::too_short) return finest();
    return "";
  }

  /// Says what the limit is, where to look, and what `tine whatif` predicts.
  std::string text_of(const candidate& c, unsigned workers) const {
    const std::string place = where(c.is);
    std::string text = reason(c.is);
    if (!place.empty()) text += fmt::format(" Look at {}.", place);
    const predicted now = time_on(s_.process, workers), then = time_on(c.without, workers);
    text += fmt::format(" {}, the time on {} workers{} would change from {} to {} ({})", c.if_removed, workers,
                        is_projected(workers) ? ", projected," : "", cli::text_of(now), cli::text_of(then),
                        difference(now.middle(), then.middle()));
    if (c.is == limit::narrow)
      return text + fmt::format(": `tine whatif {} --parallelise '{}'`.", file_, name_for_whatif());
    return text + ".";
  }

  /// As `text_of`, if the forks have so little work that measuring them takes nearly all of the time.
  std::string text_of_finest() const {
    const std::string place = finest();
    return fmt::format(
        "Forks that are too fine limit this program: nearly all of the time that was measured is that of measuring them, so a fork has at most some tens of nanoseconds of work.{} Do more between forks, e.g. by a serial version for small inputs; no verdict on anything else: {}.",
        place.empty() ? "" : fmt::format(" Look at {}.", place), s_.costs.doubt);
  }

  std::string why_none(unsigned workers) const {
    const auto p = s_.process.parallelism();
    return fmt::format(
        "Nothing limits this program on {} workers: its parallelism, {}, is enough for them, and forking takes {} of the work. If it is slower there all the same, memory or locks slow its strands down: compare with a run with TINE_NUM_THREADS=1 by `tine diff`.",
        workers, range(p.low, p.high), percent(s_.costs.forking_share));
  }

  /// Returns the site with the least work for each of its own forks, among those with a tenth of all forks; else an
  /// empty text.
  std::string finest() const {
    const report::site_row* best = nullptr;
    double least = 0;
    for (const report::site_row& row : s_.sites) {
      const trace::site& is = l_.profile.sites[row.site];
      const std::uint64_t own =
          is.kind == trace::construct::loop ? is.iterations - std::min(is.iterations, is.count) : is.count;
      if (static_cast<double>(own) < 0.1 * static_cast<double>(s_.forks + s_.iterations)) continue;
      const double grain = own_grain(row, own);
      if (best != nullptr && grain >= least) continue;
      best = &row;
      least = grain;
    }
    return best != nullptr ? label(s_, best->site) : "";
  }

 private:
  // The forks of the row include those of sites inside of it.
  static double own_grain(const report::site_row& row, std::uint64_t own) {
    if (!row.work_per_fork || own == 0) return 1e300;
    return row.work_per_fork->nanoseconds * static_cast<double>(row.forks) / static_cast<double>(own);
  }

  std::string name_for_whatif() const {
    const std::string line = s_.place_of(parts_.site).short_line();
    return line.empty() ? s_.place_of(parts_.site).name() : line;
  }

  std::string reason(limit is) const {
    switch (is) {
      case limit::outside: {
        if (!s_.serial_bound.empty()) return sentence(s_.serial_bound);
        return fmt::format("The serial time between calls into pools limits this program: {} of {}.", ns(s_.outside),
                           ns(s_.process.work));
      }
      case limit::serial_strand:
        return fmt::format(
            "A serial part inside of calls into pools limits this program: {} of its critical path of {} is the strand of the call itself, before, between or after its forks, with nothing beside it.",
            ns(parts_.serial), ns(s_.roots.span_high));
      case limit::narrow:
        return fmt::format(
            "Too little parallelism limits this program: {}. Strands of {} alone take {} of the critical path of {}, one after the other.{}",
            parallelism(), label(s_, parts_.site), ns(parts_.at_site), ns(s_.roots.span_high), hint_for_site());
      case limit::too_fine:
        return fmt::format(
            "Forks that are too fine limit this program: forking takes {} of the work of {}, with {} forks. Do more between forks, e.g. by a serial version for small inputs.",
            percent(s_.costs.forking_share), ns(s_.roots.work), count(s_.forks));
      case limit::too_short:
        return fmt::format(
            "Parallel pieces that are too short limit this program: moving one to another worker takes {}, and so the parallelism of {} is worth only {}. Put more work into each call, loop or branch.",
            ns(s_.run.fork_burden), factor(s_.process.parallelism().low), factor(s_.process.burdened_parallelism()));
      case limit::unknown:
      case limit::none:
      case limit::nothing_ran:
      case limit::never_forks:
        break;
    }
    return "";
  }

  std::string parallelism() const {
    const auto p = s_.process.parallelism();
    return fmt::format("it can keep {} workers busy on average", range(p.low, p.high));
  }

  std::string hint_for_site() const {
    const trace::site& is = l_.profile.sites[parts_.site];
    if (is.kind != trace::construct::loop)
      return " One branch there is longer than the other, or does its work before it forks.";
    const double every = static_cast<double>(is.iterations) / static_cast<double>(std::max<std::uint64_t>(is.count, 1));
    return fmt::format(
        " The loop has {} iterations on average; there are too few, or some take far longer than others.",
        factor(every));
  }

  const loaded& l_;
  const summary& s_;
  const std::string& file_;
  path_parts parts_;
  std::vector<candidate> candidates_;
};

answer without_forks(const summary& s) {
  if (s.roots.work == 0)
    return {limit::nothing_ran, "", "Nothing ran in parallel: the program spent no time in calls into pools."};
  return {
      limit::never_forks, "",
      fmt::format(
          "Nothing ran in parallel: the program called into pools, but never forked there, so all {} of this work is one strand after the other.",
          ns(s.roots.work))};
}

/// A sampled profile knows neither places nor the number of forks, and its span lies in an interval.
answer of_sampled(const summary& s, unsigned workers) {
  const auto p = s.process.parallelism();
  const std::string range = fmt::format("between {} and {}", factor(p.low), factor(p.high));
  if (p.high < workers) {
    const bool is_outside = s.outside > s.process.span_high / 2;
    return {
        is_outside ? limit::outside : limit::narrow, "",
        fmt::format(
            "Too little parallelism limits this program: it can keep {} workers busy on average, fewer than its {}.{} `tine profile` without `sample` shows where.",
            range, workers,
            is_outside ? fmt::format(" The serial time outside of calls into pools is {} of {}.", ns(s.outside),
                                     ns(s.process.span_high))
                       : "")};
  }
  if (p.low >= workers)
    return {
        limit::none, "",
        fmt::format(
            "Too little parallelism does not limit this program on {} workers: it can keep {} busy on average. A sampled profile does not tell whether it forks too finely.",
            workers, range)};
  return {
      limit::unknown, "",
      fmt::format(
          "No verdict: the program can keep {} workers busy on average, and it has {}. A smaller `--threshold` than {} makes this interval narrower; `tine profile` without `sample` is exact.",
          range, workers, ns(s.run.asked_threshold))};
}

}  // namespace

std::string answer_text(const answer& a, const palette& paint) {
  return a.text.empty() ? "" : paint(emphasis::limit, "limit       " + a.text) + "\n";
}

std::string name_of(limit l) {
  constexpr std::array<std::string_view, 9> names{"unknown",       "none",   "nothing ran", "never forks", "outside",
                                                  "serial strand", "narrow", "too fine",    "too short"};
  return std::string{names[static_cast<std::size_t>(l)]};
}

answer answer_of(const loaded& l, const std::string& file) {
  const summary& s = l.summary;
  if (!l.profile.race.empty() || !l.profile.lock.empty() || l.job) return {};  // their times are those of the checks
  if (s.forks + s.loops == 0) return without_forks(s);
  const unsigned workers = std::max(2u, s.run.workers);
  if ((s.run.analyses & trace::sampled) != 0) return of_sampled(s, workers);
  const weighing all{l, file};
  const candidate* found = all.largest(workers);
  const std::string& doubt = s.costs.doubt;
  const bool is_mostly_outside = s.outside > s.process.work / 2;
  if (s.costs.profiling_share > hidden_share && !is_mostly_outside)
    return {limit::too_fine, all.finest(), all.text_of_finest()};
  if (!doubt.empty() && found == nullptr) return {limit::unknown, "", "No verdict: " + doubt + "."};
  if (found != nullptr) {
    const std::string rough = doubt.empty() ? "" : " This is rough: " + doubt + ".";
    return {found->is, all.where(found->is), all.text_of(*found, workers) + rough};
  }
  const unsigned more = 8 * workers;
  std::string text = all.why_none(workers);
  if (const candidate* const later = all.largest(more))
    text += fmt::format(" On {} workers: {}", more, all.text_of(*later, more));
  if (!s.critical) text += " The analysis `trace` would show the critical path.";
  return {limit::none, "", text};
}

}  // namespace tine::cli
