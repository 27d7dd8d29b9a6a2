// The report of `tine doctor` as text and as JSON.
#include "cli/doctor_result.hpp"
#include "cli/duration.hpp"
#include "cli/table.hpp"
#include "report/object_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tine::cli {
namespace {

using report::found_lock_problem;
using report::json;
using report::lock_use;
using trace::lock_problem;

constexpr std::size_t most_lines = 4;  // of a path or of callers, without --verbose

std::string place_label(const report::place& where) {
  const std::string line = where.short_line();
  return line.empty() ? where.name() : where.name() + " (" + line + ")";
}
std::string place_label(const report::frame& f) {
  const std::string name = report::without_arguments(f.function);
  return f.file.empty() ? name : fmt::format("{} ({}:{})", name, f.file.substr(f.file.rfind('/') + 1), f.line);
}

std::string call(std::string_view word, const report::place& where, bool is_verbose) {
  std::string text = labelled(word, place_label(where));
  const std::size_t shown = is_verbose ? where.callers.size() : std::min(where.callers.size(), most_lines);
  for (std::size_t i = 0; i < shown; ++i) text += labelled("", "called by " + place_label(where.callers[i]));
  return text;
}

// Returns the innermost steps of a path, outermost first.
std::string lines_of_path(const lock_use& use, bool is_verbose) {
  const std::size_t first = is_verbose || use.path.size() <= most_lines ? 0 : use.path.size() - most_lines;
  std::string text;
  if (first != 0 || use.is_path_cut) text += labelled("strand", "… further steps above");
  for (std::size_t i = first; i < use.path.size(); ++i)
    text += labelled(text.empty() ? "strand" : "", "in " + use.path[i].text());
  return text.empty() ? labelled("strand", "the root") : text;
}

std::string title(const found_lock_problem& p) {
  const std::string& lock = p.uses.front().lock;
  switch (p.is) {
    case lock_problem::held_at_fork:
      return lock + " is held over a fork";
    case lock_problem::held_at_loop:
      return lock + " is held over a loop";
    case lock_problem::held_at_join:
      return lock + " is held at the end of a branch or an iteration";
    case lock_problem::held_at_wait:
      return lock + " is held over a wait";
    case lock_problem::released_elsewhere:
      return lock + " is released on another thread than the one that took it";
    case lock_problem::order:
      return fmt::format("{} are taken in orders that can deadlock", plural(p.uses.size(), "lock"));
    case lock_problem::long_wait:
      return fmt::format("a strand waited for {}{} for {}", p.is_condition ? "a condition with the mutex " : "", lock,
                         duration(static_cast<double>(p.longest)));
    case lock_problem::waits:
      break;
  }
  return fmt::format("a strand had waited for {}{} for {} when the report was made",
                     p.is_condition ? "a condition with the mutex " : "", lock,
                     duration(static_cast<double>(p.longest)));
}

std::string_view reason(const found_lock_problem& p) {
  switch (p.is) {
    case lock_problem::held_at_fork:
    case lock_problem::held_at_loop:
      return "a worker that waits at the join may run another strand, which waits for the lock without end";
    case lock_problem::held_at_wait:
      return "while the strand waits, its worker may run another one, which waits for the lock without end";
    case lock_problem::held_at_join:
      return "the strand behind the join may run on another thread, which must not release the lock";
    case lock_problem::released_elsewhere:
      return "only the thread that took a lock may release it";
    case lock_problem::order:
      return "the strands may run at the same time; each then waits for a lock that the next one holds";
    case lock_problem::long_wait:
    case lock_problem::waits:
      break;
  }
  if (p.is_suspended) return "the strand is suspended until another strand or thread ends its wait";
  return "the worker is blocked in the kernel and runs no other strand meanwhile";
}

std::string_view word_of_event(lock_problem is) {
  switch (is) {
    case lock_problem::held_at_fork:
      return "fork";
    case lock_problem::held_at_loop:
      return "loop";
    case lock_problem::held_at_join:
      return "join of";
    case lock_problem::released_elsewhere:
      return "released";
    case lock_problem::order:
      return "takes";
    case lock_problem::held_at_wait:
    case lock_problem::long_wait:
    case lock_problem::waits:
      break;
  }
  return "waits at";
}

std::string text_of_use(const found_lock_problem& p, const lock_use& use, bool is_verbose) {
  const bool is_wait = p.is == lock_problem::long_wait || p.is == lock_problem::waits;
  std::string text;
  if (p.is == lock_problem::order) text += labelled("holds", use.lock);
  if (use.taken) {
    text += call(is_wait ? "held by" : "taken", *use.taken, is_verbose);
  } else if (is_wait && !p.is_condition && p.kind < trace::lock_kind::semaphore) {
    text += labelled("held by", "not known");
  }
  if (p.is == lock_problem::order) text += labelled("takes", use.other);
  text += call(p.is == lock_problem::order ? "" : word_of_event(p.is), use.event, is_verbose);
  return text + lines_of_path(use, is_verbose);
}

std::string text_of(const found_lock_problem& p, std::size_t number, bool is_verbose, const palette& paint) {
  std::string text =
      paint(emphasis::error, fmt::format("finding {}", number)) + paint(emphasis::heading, ": " + title(p)) + "\n";
  for (const lock_use& use : p.uses) text += text_of_use(p, use, is_verbose);
  return text + labelled("why", std::string{reason(p)}) + labelled("seen", plural(p.count, "time")) + "\n";
}

std::string text_of_totals(const doctor_process& process) {
  const trace::lock_totals& t = process.profile.lock.front();
  std::string text = process.findings.empty() ? "Nothing was found" : plural(process.findings.size(), "finding");
  text += fmt::format(": strands took {} {}, in {} of two.\n", plural(t.locks, "lock"), plural(t.taken, "time"),
                      plural(t.orders, "order"));
  if (t.dropped != 0) text += fmt::format("There was no space for {} more.\n", count(t.dropped));
  if (t.was_cut) text += "There were too many orders to look at all possible cycles.\n";
  return text;
}

json json_of(const report::place& where) {
  json out{{"name", where.name()}};
  if (where.at.line != 0) out["file"] = where.at.file, out["line"] = where.at.line;
  out["callers"] = json::array();
  for (const report::frame& f : where.callers) out["callers"].push_back(place_label(f));
  return out;
}

json json_of(const found_lock_problem& p) {
  json out{
      {"kind", trace::names_of<lock_problem>[static_cast<std::size_t>(p.is)]}, {"text", title(p)}, {"count", p.count}};
  if (p.longest != 0) out["longest_ns"] = p.longest;
  out["is_condition"] = p.is_condition;
  out["of"] = trace::names_of<trace::lock_kind>[static_cast<std::size_t>(p.kind)];
  out["is_suspended"] = p.is_suspended;
  out["is_shared"] = p.is_shared;
  out["uses"] = json::array();
  for (const lock_use& use : p.uses) {
    json one{{"lock", use.lock}};
    if (!use.other.empty()) one["takes"] = use.other;
    if (use.taken) one["taken"] = json_of(*use.taken);
    one["event"] = json_of(use.event);
    one["path"] = json::array();
    for (const report::path_step& step : use.path) one["path"].push_back(step.text());
    out["uses"].push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string doctor_text(const doctor_result& result, bool is_verbose, const palette& paint) {
  std::string text;
  std::size_t number = 0;
  for (const doctor_process& each : result.processes) {
    if (result.processes.size() > 1) {
      text += text.empty() ? "" : "\n";
      text += paint(emphasis::heading, each.problem.empty() ? each.profile.run.command : each.path) + "\n\n";
    }
    if (!each.problem.empty()) {
      text += each.problem + "\n";
    } else if (!each.is_judged()) {
      text += "The locks of this process were not checked.\n";
    } else {
      for (const found_lock_problem& p : each.findings) text += text_of(p, ++number, is_verbose, paint);
      text += text_of_totals(each);
    }
  }
  return result.ending.empty() ? text : text + result.ending + ".\n";
}

std::string doctor_json(const doctor_result& result) {
  json out{{"exit_code", result.exit_code()}, {"findings", result.findings()}};
  if (!result.ending.empty()) out["program"] = result.ending;
  out["processes"] = json::array();
  for (const doctor_process& each : result.processes) {
    json process{{"profile", each.path}};
    if (!each.problem.empty()) {
      process["problem"] = each.problem;
    } else {
      process["command"] = each.profile.run.command;
      process["ended"] = trace::names_of<trace::ending>[static_cast<std::size_t>(each.profile.run.ended)];
      process["is_checked"] = each.is_judged();
      if (each.is_judged()) process["totals"] = report::object_of(each.profile.lock.front(), trace::output::json);
      process["findings"] = json::array();
      for (const found_lock_problem& p : each.findings) process["findings"].push_back(json_of(p));
    }
    out["processes"].push_back(std::move(process));
  }
  return report::printed(out);
}

}  // namespace tine::cli
