// The options --skip and --wrappers, which several subcommands have.
#include "cli/load.hpp"

#include <CLI/CLI.hpp>

namespace tine::cli {

void add_shown_frames(CLI::App& app, report::shown_frames& shown) {
  app.add_option(
         "--skip", shown.skip,
         "Functions or files that wrap forks and loops, e.g. 'my::parallel_*' or wrap.hpp: show the sites where these are called; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)  // or else it would take the -- in front of a program for its own end
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--wrappers", shown.wrappers,
               "Show the lines inside of wrappers that fork and loop: those of known libraries and of TINE_WRAPPERS");
}

}  // namespace tine::cli
