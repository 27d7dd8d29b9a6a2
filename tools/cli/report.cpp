// tine report: a profile on the terminal, as JSON, or as a page.
#include "cli/answer.hpp"
#include "cli/calibration.hpp"
#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/narrow.hpp"
#include "cli/palette.hpp"
#include "cli/print.hpp"
#include "cli/report_json.hpp"
#include "cli/report_text.hpp"
#include "report/page.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tine::cli {
namespace {

loaded load_all(const std::vector<std::string>& files, const report::shown_frames& shown) {
  if (files.size() == 1) return load(files.front(), symbols::resolve, shown);
  std::string why_not;
  if (std::optional<loaded> job = load_job(files, shown, why_not)) return *std::move(job);
  throw refusal{why_not};
}

}  // namespace

command add_report(CLI::App& tine) {
  struct report_options {
    report::shown_frames shown;
    std::vector<std::string> of;
    std::vector<std::string> files;
    std::string html;
    std::optional<std::size_t> sites;
    bool json = false;
  };
  auto given = std::make_shared<report_options>();
  CLI::App* app =
      tine.add_subcommand("report", "Show a profile: work, span, parallelism, costs, and a table of call sites.");
  app->add_option("PROFILE", given->files,
                  "Profile, written by `tine profile` or TINE_PROFILE; or the profiles of all ranks of one job")
      ->required()
      ->type_name("FILE");
  app->add_option("--sites", given->sites, "Maximum number of call sites to show; 25 by default, and all with --json");
  auto* html =
      app->add_option("--html", given->html,
                      "Write a page for the browser to this file instead; docs/reference/report.md explains it")
          ->type_name("FILE");
  app->add_flag("--json", given->json, "Print JSON instead: times in nanoseconds, shares of 1, bytes")->excludes(html);
  add_of(*app, given->of, false);
  add_shown_frames(*app, given->shown);
  app->footer(
      "Columns: work below the site's outermost instances, and its share of all work; the share of the critical path\n"
      "spent below it (needs the analysis `trace`); logical forks; work per fork; forks that were promoted,\n"
      "and forks that another worker stole; bytes held at the worst moment (needs `space`).\n\n"
      "The profiles of the ranks of an MPI job, app.rank*.profile, are joined: figures of the job, a table and a "
      "timeline of its\n"
      "ranks, and the call sites of all of them.\n\n"
      "Exit codes: 0 success; 2 a file cannot be read or written.");
  return {app, [given] {
            loaded l = load_all(given->files, given->shown);
            narrow(l, given->of);
            const answer found = answer_of(l, given->files.front());
            l.summary.answer = found.text;
            if (!given->html.empty() && !l.job) {
              const known_costs costs = read_costs();
              l.summary.simulation = report::view_of_simulation(l.profile, costs.what, costs.usual.empty());
            }
            if (given->json) {
              print(report_json(l, given->files.front(), given->sites.value_or(l.summary.sites.size())));
            } else if (given->html.empty()) {
              const palette paint{STDOUT_FILENO};
              print(report_text(l, columns(STDOUT_FILENO), given->sites.value_or(25), paint) + "\n" +
                    answer_text(found, paint));
            } else if (const auto problem =
                           report::write_page(l.profile, l.summary, given->html, l.job ? &*l.job : nullptr);
                       !problem.empty()) {
              throw refusal(problem);
            }
            return int{success};
          }};
}

}  // namespace tine::cli
