// Stands for `tine ir` in a command that was built without the compiler.
#include "cli/command.hpp"
#include "cli/print.hpp"

#include <CLI/CLI.hpp>

namespace tine::cli {

command add_ir(CLI::App& tine) {
  CLI::App* app =
      tine.add_subcommand("ir", "Spork IR: is not in this command, which was built without LLVM (TINE_IR).");
  app->allow_extras();
  return {app, [] {
            print_error(
                "tine ir: this command was built without the Spork compiler; build it with -DTINE_IR=ON, which needs "
                "LLVM 19\n");
            return usage_error;
          }};
}

}  // namespace tine::cli
