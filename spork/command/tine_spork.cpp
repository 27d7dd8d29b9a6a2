// The commands of tine-spork. `tine-spork --describe` describes them, for the completions and man pages that `tine`
// writes.
#include "command/tine_spork.hpp"

#include "cli/command_line.hpp"
#include "cli/command_tree_json.hpp"
#include "cli/print.hpp"
#include "command/ir.hpp"

#include <CLI/CLI.hpp>

#include <string_view>
#include <vector>

namespace tine::cli {

int run_tine_spork(int argc, char** argv) {
  CLI::App tine{"Spork IR and Parallel ML: the part of the tine command that needs LLVM.", "tine"};
  const std::vector<command> commands{add_ir(tine), add_ml(tine)};
  if (argc == 2 && std::string_view{argv[1]} == "--describe") {
    add_color(tine);
    print(command_tree_json(describe_command_tree(tine)));
    return success;
  }
  return run_command_line(tine, commands, argc, argv, &describe_command_tree);
}

}  // namespace tine::cli
