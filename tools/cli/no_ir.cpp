// Stands for `tine ir` and `tine ml` in a command that was built without the compiler.
#include "cli/command.hpp"
#include "cli/print.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace tine::cli {

namespace {

command add(CLI::App& tine, const std::string& name, const std::string& language) {
  CLI::App* app =
      tine.add_subcommand(name, language + ": is not in this command, which was built without LLVM (TINE_IR).");
  app->allow_extras();
  return {app, [name] {
            print_error("tine " + name +
                        ": this command was built without the Spork compiler; build it with -DTINE_IR=ON, which needs "
                        "LLVM 19\n");
            return usage_error;
          }};
}

}  // namespace

command add_ir(CLI::App& tine) { return add(tine, "ir", "Spork IR"); }

command add_ml(CLI::App& tine) { return add(tine, "ml", "Parallel ML"); }

}  // namespace tine::cli
