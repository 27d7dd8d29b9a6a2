// tine report: a profile on the terminal.
#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/output.hpp"
#include "cli/report_text.hpp"

#include <memory>

namespace tine::cli {

command add_report(CLI::App& tine) {
  struct options {
    std::string file;
    std::size_t sites = 25;
  };
  auto given = std::make_shared<options>();
  CLI::App* app =
      tine.add_subcommand("report", "Shows a profile: work, span, parallelism, costs, and a table of call sites.");
  app->add_option("PROFILE", given->file, "What `tine profile` or TINE_PROFILE wrote")->required();
  app->add_option("--sites", given->sites, "Show at most so many call sites")->capture_default_str();
  app->footer(
      "Columns: work below the site's outermost instances, and its share of all work; the share of the critical path\n"
      "spent below it (needs the analysis `trace`); logical forks; work per fork; promotions offered to other "
      "workers,\n"
      "and taken by them; bytes held at the worst moment (needs `space`).\n\n"
      "Exit codes: 0 good; 2 the file cannot be read.");
  return {app, [given] {
            print(report_text(load(given->file, symbols::resolve), columns(), given->sites));
            return int{good};
          }};
}

}  // namespace tine::cli
