// The option --of, which several subcommands have.
#include "cli/narrow.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace tine::cli {

void add_of(CLI::App& app, std::vector<std::string>& of, bool knows_roots) {
  const std::string roots = knows_roots ? "process for all of it, roots for what ran in calls into pools, " : "";
  app.add_option(
         "--of", of,
         "Part of the run: " + roots +
             "phase:NAME for a phase that the program names by tine::phase, site:PLACE for all that runs below a call site, or time:FROM..TO, e.g. time:1s..2.5s, for the calls that began then. If it is repeated, each part is taken of the one before")
      ->type_name("PART")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace tine::cli
