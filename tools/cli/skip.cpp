// The option --skip, which several subcommands have.
#include "cli/load.hpp"

#include <CLI/CLI.hpp>

namespace tine::cli {

void add_skip(CLI::App& app, std::vector<std::string>& skip) {
  app.add_option(
         "--skip", skip,
         "Functions or files that wrap forks and loops, e.g. 'my::parallel_*' or wrap.hpp: show the sites where these are called; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)  // or else it would take the -- in front of a program for its own end
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace tine::cli
