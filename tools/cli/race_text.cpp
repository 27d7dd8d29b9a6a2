// Prints the races of a run, as text and as JSON.
#include "cli/race_text.hpp"

#include "cli/duration.hpp"
#include "cli/table.hpp"
#include "report/object_of.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

using report::found_race;
using report::race_access;
using report::race_path;

constexpr std::size_t most_name = 80;  // of a function, in columns
constexpr std::size_t most_steps = 6;  // of a path, without --verbose

// Returns the name of a function; if it is long, without the arguments of templates.
std::string readable(const std::string& name) {
  if (width_of(name) <= most_name) return name;
  std::string text;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_operator = text.ends_with("operator") || text.ends_with("operator<") || text.ends_with("operator>") ||
                             text.ends_with("operator-") || text.ends_with("operator<=");
    if (c == '<' && !is_operator && depth++ == 0) text += "<…>";
    if (depth == 0) text += c;
    if (c == '>' && !is_operator && depth > 0) --depth;
  }
  return shortened(text, 2 * most_name);
}

std::string access_label(const report::place& where) {
  const std::string line = where.short_line(), name = readable(where.name());
  return line.empty() ? name : name + " (" + line + ")";
}

std::string title(const race_access& access) { return fmt::format("{}", fmt::join(access.kinds, "/")); }

// Returns the steps of a path, outermost first: a line for each, or for several equal ones, as a recursion has them.
// The innermost steps say most: the others are left out.
std::string lines_of(const race_path& path, race_details details, const char* name = "") {
  std::vector<std::pair<std::string, std::uint64_t>> steps;  // with the number of equal ones
  for (const report::path_step& step : path.steps) {
    std::string text = "in " + step.text() + (step.is_cut ? ", and further steps" : "");
    if (steps.empty() || steps.back().first != text) steps.emplace_back(std::move(text), 0);
    ++steps.back().second;
  }
  const std::size_t first = details == race_details::all || steps.size() <= most_steps ? 0 : steps.size() - most_steps;
  std::uint64_t left_out = path.left_out;
  for (std::size_t i = 0; i < first; ++i) left_out += steps[i].second;
  std::string text;
  if (left_out != 0) text += labelled(name, fmt::format("… {} above", plural(left_out, "step")));
  for (std::size_t i = first; i < steps.size(); ++i) {
    const auto& [step, times] = steps[i];
    text += labelled(text.empty() ? name : "", times == 1 ? step : fmt::format("{}, {} times", step, times));
  }
  return text;
}

// Returns the functions that were inlined at the access.
std::string chain_of(const race_access& access) {
  std::string text;
  for (const report::frame& f : access.where.chain) {
    const std::string file = f.file.empty() ? "" : fmt::format(" at {}:{}", f.file, f.line);
    text += labelled("", fmt::format("{} {}{}", text.empty() ? "function" : "inlined into",
                                     f.function.empty() ? "unknown" : f.function, file));
  }
  return text;
}

std::string side(const race_access& access, race_details details) {
  std::string text = labelled(title(access), access_label(access.where));
  if (details == race_details::all) text += chain_of(access);
  return text + lines_of(access.path, details);
}

std::string text_of(const found_race& race, std::size_t number, race_details details, const palette& paint) {
  std::string text = paint(emphasis::error, fmt::format("race {}", number)) +
                     paint(emphasis::heading, fmt::format(": {} and {} of {}", title(race.earlier), title(race.later),
                                                          race.memory.text())) +
                     "\n";
  text += side(race.earlier, details) + side(race.later, details);
  text += labelled("parallel", race.parting.text() + (race.is_complete ? "" : "; the path is not complete"));
  text += lines_of(race.common, details, "both");
  for (const std::string& memory : race.more_memory) {
    text += labelled("also", memory);
    if (details == race_details::all || race.more_memory.size() == 1) continue;
    text += labelled("", fmt::format("… and {} more", race.more_memory.size() - 1));
    break;
  }
  if (race.is_locked)
    text += labelled("locked", "both accesses hold a common lock; the order of the two is not determined");
  if (!race.ordered_at.empty())
    text += labelled(
        "ordered", fmt::format("by the atomic operation at {}: a determinacy race, not a data race", race.ordered_at));
  const std::string by = race.pairs > 1 ? fmt::format(", by {} of instructions", plural(race.pairs, "pair")) : "";
  return text + labelled("seen", plural(race.count, "time") + by) + "\n";
}

// Says how the run ended, if it did not end by itself.
std::string ending_of(const trace::run& run) {
  switch (run.ended) {
    case trace::ending::exception:
      return "The program ended by an exception";
    case trace::ending::terminated:
      return "The program was terminated";
    case trace::ending::signalled:
      return fmt::format("Signal {} ended the program", run.signal);
    case trace::ending::running:
      return "The profile is a snapshot of a run";
    case trace::ending::normal:
      break;
  }
  return "";
}

std::string text_of_totals(const checked_process& process) {
  const trace::race_totals& t = process.read.profile.race.front();
  const std::size_t found = process.read.summary.races.races.size();
  std::string text =
      found == 0 ? "No determinacy race was found" : plural(found, "race") + ", one for each pair of lines,";
  text += fmt::format(" in {} and {} of {}", plural(t.reads, "read"), plural(t.writes, "write"),
                      plural(t.strands, "strand"));
  text += t.determinism ? ", with atomics and accesses under locks.\n" : ".\n";
  if (const std::uint64_t n = process.read.summary.races.suppressed; n != 0)
    text += fmt::format("{} suppressed.\n", n == 1 ? "1 more race is" : count(n) + " more races are");
  if (t.dropped != 0)
    text += fmt::format("{} of instructions {}, for which the profile had no space.\n", plural(t.dropped, "more pair"),
                        t.dropped == 1 ? "races" : "race");
  if (const std::string ending = ending_of(process.read.profile.run); !ending.empty())
    text += ending + ": what ran until then was checked.\n";
  return text;
}

std::string text_of(const checked_process& process, std::size_t& number, race_details details, const palette& paint) {
  if (!process.problem.empty()) return process.problem + "\n";
  if (!process.is_judged()) return "This process is not instrumented, and was not checked.\n";
  std::string text;
  for (const found_race& race : process.read.summary.races.races) text += text_of(race, ++number, details, paint);
  if (process.accesses() != 0) text += text_of_totals(process);
  if (!process.incomplete().empty()) {
    const std::string& at = process.read.summary.races.incomplete_at;
    text += paint(emphasis::limit, fmt::format("A part of the run was not checked, because {}.{}", process.incomplete(),
                                               at.empty() ? "" : fmt::format(" It was at {}.", at))) +
            "\n";
  }
  return text;
}

}  // namespace

std::string race_text(const race_result& result, race_details details, const palette& paint) {
  std::string text;
  std::size_t number = 0;
  for (const checked_process& each : result.processes) {
    if (result.processes.size() > 1) {
      text += text.empty() ? "" : "\n";
      text += paint(emphasis::heading, each.problem.empty() ? each.read.profile.run.command : each.path) + "\n\n";
    }
    text += text_of(each, number, details, paint);
  }
  if (!result.ending.empty()) text += result.ending + ".\n";
  if (details == race_details::few) return text;
  for (const report::suppression& each : result.suppressions) {
    if (each.used == 0) text += each.where + ": this suppression suppressed nothing.\n";
  }
  return text;
}

std::string race_json(const race_result& result) {
  using report::json;
  json out{{"exit_code", result.exit_code()}, {"races", result.races()}, {"suppressed", result.suppressed()}};
  if (!result.ending.empty()) out["program"] = result.ending;
  out["processes"] = json::array();
  for (const checked_process& each : result.processes) {
    json process{{"profile", each.path}};
    if (!each.problem.empty()) {
      process["problem"] = each.problem;
    } else {
      process["command"] = each.read.profile.run.command;
      process["ended"] = trace::names_of<trace::ending>[static_cast<std::size_t>(each.read.profile.run.ended)];
      process["is_instrumented"] = each.accesses() != 0;
      if (each.has_totals()) process["totals"] = report::object_of(each.read.profile.race.front(), trace::output::json);
      process["races"] = json::array();
      for (const found_race& race : each.read.summary.races.races)
        process["races"].push_back(report::object_of(race, trace::output::json));
      process["suppressed"] = each.read.summary.races.suppressed;
    }
    out["processes"].push_back(std::move(process));
  }
  out["suppressions"] = json::array();
  for (const report::suppression& each : result.suppressions)
    out["suppressions"].push_back({{"at", each.where}, {"used", each.used}});
  return report::printed(out);
}

}  // namespace tine::cli
