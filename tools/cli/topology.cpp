// tine topology: the default number of workers on this machine, and the reason.
#include "cli/command.hpp"
#include "cli/print.hpp"

#include <tine/sched/pool_defaults.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

namespace tine::cli {
namespace {

std::string many(unsigned n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

int show_defaults() {
  const pool_defaults d = defaults_of_this_process();
  print(fmt::format("{}: {}\n", many(d.workers, "worker"), d.reason));
  print(d.pinned ? "workers are pinned to processors, unless there are more workers than processors\n"
                 : "workers are not pinned: a quota of processor time limits this process\n");
  print(fmt::format("this process may use {} of {} of this machine, on {}\n", d.processors,
                    many(d.machine_processors, "processor"), many(d.numa_nodes, "NUMA node")));
  if (d.kinds.size() > 1) {
    print(fmt::format(
        "its cores are of {} kinds, with {} processors, the fastest first; workers take them in this order\n",
        d.kinds.size(), fmt::join(d.kinds, " and ")));
  }
  return success;
}

}  // namespace

command add_topology(CLI::App& tine) {
  CLI::App* const app =
      tine.add_subcommand("topology", "Show how many workers a program gets by default here, and why.");
  app->footer(
      "If TINE_NUM_THREADS is set, it is the number of workers. Otherwise a program gets one worker for each processor that\n"
      "it may use, or fewer if a control group has a quota.");
  return {app, show_defaults};
}

}  // namespace tine::cli
