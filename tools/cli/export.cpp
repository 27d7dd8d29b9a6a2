// tine export: a profile in the formats of other tools.
#include "cli/command.hpp"
#include "cli/formats/formats.hpp"
#include "cli/load.hpp"
#include "cli/narrow.hpp"
#include "cli/print.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace tine::cli {
namespace {

struct export_options {
  report::shown_frames shown;
  std::vector<std::string> of;
  std::string file, format, output;
};

}  // namespace

command add_export(CLI::App& tine) {
  auto given = std::make_shared<export_options>();
  CLI::App* app = tine.add_subcommand("export", "Convert a profile to the format of another tool.");
  app->add_option("PROFILE", given->file, "Profile, written by `tine profile` or TINE_PROFILE")
      ->required()
      ->type_name("FILE");
  app->add_option("--to", given->format, "Format to write")->required()->check(CLI::IsMember(formats));
  app->add_option("-o,--output", given->output, "Write to this file instead of standard output")->type_name("FILE");
  add_of(*app, given->of, false);
  add_shown_frames(*app, given->shown);
  app->footer(
      "Formats:\n  cilkscale-csv  work, span and burdened span of each root and of all, as Cilkscale prints them\n  collapsed      one line per fork path and its nanoseconds of work, for flamegraph.pl and inferno\n  dot            the series-parallel dag with its critical path, for Graphviz (needs the analysis `trace`)\n  perfetto       Chrome's trace events: workers as they ran (needs the analysis `timeline`), roots as they ran,\n                 and the dag as if workers were unlimited; for ui.perfetto.dev and chrome://tracing\n  pprof          gzipped profile.proto: work and forks by fork path, for `go tool pprof`\n  speedscope     work by fork path, for speedscope.app\n\n"
      "Stacks are fork paths: who forked whom, whichever worker ran it. Frames beyond the 500th are cut off.\n\n"
      "Exit codes: 0 success; 2 wrong usage, the file cannot be read, or the profile lacks what the format shows.");
  return {app, [given] {
            loaded l = load(given->file, symbols::resolve, given->shown);
            narrow(l, given->of);
            write_to(given->output, formats.at(given->format)(l));
            return int{success};
          }};
}

}  // namespace tine::cli
