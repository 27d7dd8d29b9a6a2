// tine schedule: recorded schedules on the terminal, as pictures, compared, and in the formats of other tools.
#include "cli/command.hpp"
#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/printable.hpp"
#include "cli/progress.hpp"
#include "cli/refusal.hpp"
#include "cli/schedule/schedule_text.hpp"

#include <tine/replay/journal.hpp>

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

using exporter = std::string (*)(const schedule&);
const std::map<std::string, exporter> formats{{"dot", schedule_dot}, {"perfetto", schedule_perfetto}};

struct schedule_options {
  std::string file, other, output, format;
  std::uint32_t root = 0;
  unsigned depth = 16;
  std::size_t lines = 50;
  bool json = false, html = false;
};
using shared = std::shared_ptr<schedule_options>;

constexpr const char* what_file = "Schedule or journal, written by `tine::schedule::save` or TINE_RECORD";
constexpr const char* what_output = "Write to this file instead of standard output";
constexpr unsigned most_levels = 200;  // each level is indented by three columns

// Loads the schedule, or that of one root of the journal.
schedule load_schedule(const std::string& file, std::uint32_t root) {
  if (!journal::is_journal(file)) return schedule::load(file);
  const journal all = journal::load(file);
  if (root < all.roots().size()) return all.roots()[root].performed;
  throw refusal{fmt::format("{}: the journal has {} roots, and --root {} is not among them; they count from 0",
                            printable(file), all.roots().size(), root)};
}

// Returns what `view` makes of the schedule in the file.
template <class View>
auto viewed(const shared& given, const View& view) {
  const progress shown{"reading " + printable(given->file)};
  return view(load_schedule(given->file, given->root));
}

// Returns a line for each root of a journal; nothing for a schedule.
std::string roots_in(const std::string& file) {
  if (!journal::is_journal(file)) return "";
  const journal all = journal::load(file);
  std::string text = fmt::format(
      "journal of {}{}{}, shape key {:016x}\n", all.roots().size(), all.roots().size() == 1 ? " root" : " roots",
      all.is_perturbed() ? fmt::format(", perturbed by seed {}", all.seed()) : "", all.shape());
  if (all.is_full()) text += "the recording stopped before the end of the process\n";
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(all.roots().size(), most); ++i) {
    const journal::root& r = all.roots()[i];
    const std::string from = r.origin == journal::submitted ? fmt::format("submitted root {}", r.number)
                                                            : fmt::format("call {} of thread {}", r.number, r.origin);
    text +=
        fmt::format("root {}: {}, {} steals{}\n", i, from, r.performed.steals(), r.has_ended ? "" : ", has not ended");
  }
  if (all.roots().size() > most) text += fmt::format("and {} more\n", all.roots().size() - most);
  return text + '\n';
}

void add_root(CLI::App* app, const shared& given) {
  app->add_option("--root", given->root, "Number of the root in a journal, from 0")->capture_default_str();
}

command add_show(CLI::App& schedule_app, const shared& given) {
  CLI::App* app =
      schedule_app.add_subcommand("show", "Show which worker ran what: a table of workers and the steal tree.");
  app->add_option("FILE", given->file, what_file)->required()->type_name("FILE");
  auto* json = app->add_flag("--json", given->json, "Print JSON instead, with every strand and its origin");
  app->add_option("--depth", given->depth, "Maximum number of nested branches to show")
      ->capture_default_str()
      ->check(CLI::Range(1U, most_levels))
      ->excludes(json);
  add_root(app, given);
  app->footer(
      "Rows with a worker are strands: a branch that was stolen, iterations that were, and what followed a join. "
      "Numbers of\n"
      "forks and loops count along the branch that they are in, from 0.\n\n"
      "Exit codes: 0 success; 2 wrong usage, or the file cannot be read.");
  return {app, [given] {
            print((given->json ? "" : roots_in(given->file)) + viewed(given, [&](const schedule& s) {
                    return given->json ? schedule_json(s)
                                       : schedule_text(s, given->depth, columns(STDOUT_FILENO), palette{STDOUT_FILENO});
                  }));
            return int{success};
          }};
}

command add_gantt(CLI::App& schedule_app, const shared& given) {
  CLI::App* app =
      schedule_app.add_subcommand("gantt", "Draw a schedule: a row for each worker, arrows for steals and joins.");
  app->add_option("FILE", given->file, what_file)->required()->type_name("FILE");
  app->add_flag("--html", given->html, "Write an HTML page instead of an SVG");
  app->add_option("-o,--output", given->output, what_output)->type_name("FILE");
  add_root(app, given);
  app->footer(
      "Nothing outside of the file is needed to look at it. Of more than 5,000 strands the longest are drawn.\n\n"
      "Exit codes: 0 success; 2 wrong usage, or a file cannot be read or written.");
  return {app, [given] {
            write_to(given->output, viewed(given, [&](const schedule& s) {
                       return given->html ? schedule_html(s, given->file) : schedule_svg(s, given->file);
                     }));
            return int{success};
          }};
}

command add_compare(CLI::App& schedule_app, const shared& given) {
  CLI::App* app = schedule_app.add_subcommand(
      "diff", "Compare two schedules of one program: which worker ran what, in which order.");
  app->add_option("BEFORE", given->file, what_file)->required()->type_name("FILE");
  app->add_option("AFTER", given->other, "Schedule to compare with it")->required()->type_name("FILE");
  app->add_option("--lines", given->lines, "Maximum number of differences to print")->capture_default_str();
  add_root(app, given);
  app->footer(
      "- only in BEFORE; + only in AFTER; ~ in both, on another worker or at another place in its worker's order.\n"
      "Times are not compared.\n\n"
      "Exit codes: 0 no difference; 1 some; 2 wrong usage, or a file cannot be read.");
  return {app, [given] {
            const auto found = viewed(given, [&](const schedule& before) {
              return compare_schedules(before, load_schedule(given->other, given->root), given->lines,
                                       palette{STDOUT_FILENO});
            });
            print(found.text);
            return int{found.any ? limit_exceeded : success};
          }};
}

command add_formats(CLI::App& schedule_app, const shared& given) {
  CLI::App* app = schedule_app.add_subcommand("export", "Convert a schedule to the format of another tool.");
  app->add_option("FILE", given->file, what_file)->required()->type_name("FILE");
  app->add_option("--to", given->format, "Format to write")->required()->check(CLI::IsMember(formats));
  app->add_option("-o,--output", given->output, what_output)->type_name("FILE");
  add_root(app, given);
  app->footer(
      "Formats:\n  dot       the strands and the edges between them, for Graphviz: solid for steals, dashed for the last strand at a\n            join, dotted for the others\n  perfetto  Chrome's trace events, a thread for each worker, with flows; for ui.perfetto.dev and chrome://tracing\n\n"
      "Exit codes: 0 success; 2 wrong usage, or a file cannot be read or written.");
  return {app, [given] {
            write_to(given->output, viewed(given, formats.at(given->format)));
            return int{success};
          }};
}

}  // namespace

command add_schedule(CLI::App& tine) {
  CLI::App* app = tine.add_subcommand("schedule", "Show, draw, compare and export recorded schedules.");
  app->require_subcommand(1);
  const auto given = std::make_shared<schedule_options>();
  const std::vector<command> verbs{add_show(*app, given), add_gantt(*app, given), add_compare(*app, given),
                                   add_formats(*app, given)};
  return {app, [verbs] {
            for (const command& verb : verbs) {
              if (verb.options->parsed()) return verb.run();
            }
            return int{usage_error};
          }};
}

}  // namespace tine::cli
