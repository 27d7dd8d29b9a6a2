// tine man: the man pages of the command.
#include "cli/command.hpp"
#include "cli/man_page.hpp"
#include "cli/print.hpp"
#include "cli/spork_program.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

struct man_options {
  std::string verb, folder;
};

int write_pages(const described_command& tine, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const auto write = [&](const described_command& c) {
    write_to((folder / (man_page_name(c) + ".1")).string(), man_page(c));
  };
  write(tine);
  std::ranges::for_each(tine.verbs, write);
  return success;
}

int print_page(const described_command& tine, const std::string& verb) {
  const auto chosen = std::ranges::find(tine.verbs, verb, &described_command::name);
  print(man_page(chosen == tine.verbs.end() ? tine : *chosen));
  return success;
}

}  // namespace

command add_man(CLI::App& tine) {
  auto given = std::make_shared<man_options>();
  CLI::App* app = tine.add_subcommand("man", "Print the man page of tine or of a verb, for `man -l -`.");
  std::vector<std::string> verbs;
  for (const CLI::App* verb : tine.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  auto* verb = app->add_option("VERB", given->verb, "Verb whose page to print")->check(CLI::IsMember(verbs));
  app->add_option("--to", given->folder, "Write all pages to this folder instead")->type_name("FOLDER")->excludes(verb);
  app->footer("Exit codes: 0 success; 2 wrong usage, or a file cannot be written.");
  return {app, [&tine, given] {
            const described_command all = describe_with_spork(tine);
            return given->folder.empty() ? print_page(all, given->verb) : write_pages(all, given->folder);
          }};
}

}  // namespace tine::cli
