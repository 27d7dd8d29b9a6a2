// tine completion: a script that completes the command's words in a shell.
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/shells/shells.hpp"
#include "cli/spork_program.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace tine::cli {

command add_completion(CLI::App& tine) {
  auto shell = std::make_shared<std::string>();
  CLI::App* app = tine.add_subcommand("completion", "Print the completion script for a shell.");
  app->add_option("SHELL", *shell, "Shell to write the script for")->required()->check(CLI::IsMember(shells));
  app->footer(
      "An installation has the scripts in the folders that the shells read. To try one in bash:\n  source <(tine completion bash)\n\n"
      "Exit codes: 0 success; 2 wrong usage.");
  return {app, [&tine, shell] {
            print(shells.at(*shell)(describe_with_spork(tine)));
            return int{success};
          }};
}

}  // namespace tine::cli
