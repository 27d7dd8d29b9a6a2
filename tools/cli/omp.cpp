// tine omp: runs a program that was compiled for OpenMP on tine, by preloading libtine_omp.so.
#include "cli/command.hpp"
#include "cli/library_of_tine.hpp"
#include "cli/profile_and_report.hpp"
#include "cli/program_file.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace tine::cli {
namespace {

struct omp_options {
  unsigned workers = 0;  // 0: as the library decides; the other options are empty then
  std::string threads, profile, record, replay;
  std::vector<std::string> command;
};

// Says what is wrong with the value of --threads; empty if nothing is.
std::string check_threads(const std::string& text) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    unsigned number = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, number);
    if (error != std::errc{} || stop != text.data() + end || number == 0)
      return fmt::format("'{}' is not a number of threads, or one for each level of nesting; write e.g. 8 or 4,2",
                         text);
    at = end + 1;
  }
  return {};
}

// The path is absolute, because the program may change its directory.
void set_file(const char* variable, const std::string& path) {
  if (!path.empty()) setenv(variable, (std::filesystem::current_path() / path).c_str(), 1);
}

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  signal(SIGPIPE, SIG_DFL);  // which this command ignores
  execvp(words[0], words.data());
  throw std::system_error{errno, std::generic_category(), "cannot run " + command.front()};
}

int omp(const omp_options& o) {
  const std::string why_not = why_nothing_is_preloaded(program_file(o.command.front()));
  if (!why_not.empty()) throw refusal{"libtine_omp.so cannot be preloaded: " + why_not};
  add_to_preloaded(library_to_preload("`tine omp`", "tine_omp", "openmp"));
  if (o.workers != 0) setenv("TINE_NUM_THREADS", std::to_string(o.workers).c_str(), 1);
  if (!o.threads.empty()) setenv("OMP_NUM_THREADS", o.threads.c_str(), 1);
  set_file("TINE_RECORD", o.record);
  set_file("TINE_REPLAY", o.replay);
  if (o.profile.empty()) become(o.command);
  reported_run run;
  run.command = o.command;
  run.output = o.profile;
  return profile_and_report(run, {});
}

}  // namespace

command add_omp(CLI::App& tine) {
  auto given = std::make_shared<omp_options>();
  CLI::App* app = tine.add_subcommand("omp", "Run a program that uses OpenMP on tine, without recompiling it.");
  app->add_option("--workers", given->workers, "Workers of tine; one for each processor by default")
      ->check(CLI::Range(1, 512));
  app->add_option("--threads", given->threads,
                  "Threads of a team, as OMP_NUM_THREADS; a list such as 4,2 has a number for each level of nesting")
      ->check(CLI::Validator{&check_threads, "N[,N...]"});
  app->add_flag("--profile{tine-%p.profile}", given->profile,
                "Write a profile, and report as `tine profile` does; --profile=FILE names the file");
  app->add_option("--record", given->record, "Record the order of the run in this file")->type_name("FILE");
  app->add_option("--replay", given->replay, "Repeat the order of a recorded run")->type_name("FILE");
  app->add_option("COMMAND", given->command, "Program and its arguments, after --")->required()->type_name("COMMAND");
  app->footer(
      "Preloads libtine_omp.so in the place of libgomp, also for libraries that the program loads, and becomes the program.\n"
      "docs/guide/openmp.md is the manual. Other commands run `tine omp` as their program:\n\n  tine profile --timeline -- tine omp -- ./app\n  tine doctor -- tine omp -- ./app\n  tine perturb -- tine omp -- ./app\n\n"
      "Exit codes: the program's own, or 128 and the signal's number with --profile; 2 if it cannot be run, or with\n"
      "--profile if there is no profile.");
  return {app, [given] { return omp(*given); }};
}

}  // namespace tine::cli
