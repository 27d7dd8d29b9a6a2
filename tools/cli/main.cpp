// The tine command: its subcommands.
#include "cli/command_line.hpp"
#include "cli/spork_program.hpp"

#include <CLI/CLI.hpp>

namespace {

constexpr const char* about =
    "The microscope for programs that fork with tine.\n\n  tine profile -- ./app args     run a program and see its work, span and call sites\n  tine report app.profile        see them again\n  tine predict app.profile       how fast would it be on more workers?\n  tine whatif app.profile        which call site is worth making faster?\n  tine check app.profile --min-parallelism 50 --max-serial-share 5%    in CI\n  tine race -- ./app args        find its determinacy races; the program is compiled for it\n  tine omp --profile -- ./app    run a program that uses OpenMP on tine, and profile it\n  tine schedule show a.json      which worker ran what in a recorded region\n  tine perturb -- ./app args     find an order of its strands in which it fails\n\n"
    "docs/reference/profiling.md is the manual.";

}  // namespace

int main(int argc, char** argv) {
  using namespace tine::cli;
  CLI::App tine{about, "tine"};
  tine.footer(
      "Exit codes: 0 success; 1 a finding: a limit is exceeded, schedules differ, a run failed, or a program is wrong; 2 wrong usage, or a file that cannot be read or written.");
  const std::vector<command> commands{add_profile(tine),
                                      add_report(tine),
                                      add_diff(tine),
                                      add_check(tine),
                                      add_export(tine),
                                      add_predict(tine),
                                      add_whatif(tine),
                                      add_simulate(tine),
                                      add_race(tine),
                                      add_doctor(tine),
                                      add_omp(tine),
                                      add_calibrate(tine),
                                      add_schedule(tine),
                                      add_perturb(tine),
                                      add_topology(tine),
                                      add_spork_program(tine, "ir", about_ir, argv),
                                      add_spork_program(tine, "ml", about_ml, argv),
                                      add_completion(tine),
                                      add_man(tine)};
  return run_command_line(tine, commands, argc, argv, &describe_with_spork);
}
