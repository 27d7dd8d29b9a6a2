// See command_line.hpp.
#include "harness/command_line.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace bench {
namespace {

constexpr int most_workers = 512;
constexpr int most_repeats = 1'000'000;

[[noreturn]] void refuse(const program& program, const std::string& message) {
  fmt::print(stderr, "{}: {}\n", program.name, message);
  std::exit(2);
}

}  // namespace

request parse_command_line(const program& program, int argc, char** argv) {
  std::vector<std::string> names;
  for (const variant& v : program.variants) names.push_back(v.name);

  request wanted;
  std::string name = names.front();
  wanted.workers = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, unsigned{most_workers}));

  CLI::App app{program.description, program.name};
  app.add_option("--variant", name, "How to compute it")->check(CLI::IsMember(names))->capture_default_str();
  auto* workers = app.add_option("--workers", wanted.workers, "Threads that compute, this one included")
                      ->check(CLI::Range(1, most_workers))
                      ->capture_default_str();
  app.add_option("--repeat", wanted.repeat, "Measured runs, after one unmeasured")
      ->check(CLI::Range(1, most_repeats))
      ->capture_default_str();
  app.add_flag("--json", wanted.json, "Print the result as one JSON object");
  app.add_flag("--serve", wanted.serve,
               "Print 'ready', then run once for each line read and print the seconds; at the end of the input print "
               "the result as one JSON object");
  program.add_options(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) std::exit(app.exit(error));
    refuse(program, fmt::format("{} (see {} --help)", error.what(), program.name));
  }

  wanted.chosen = &*std::ranges::find(program.variants, name, &variant::name);
  if (wanted.chosen->runtime == runtime_kind::serial) {
    if (workers->count() > 0 && wanted.workers != 1)
      refuse(program,
             fmt::format("--workers: {} is not allowed with --variant {}, which has 1 worker", wanted.workers, name));
    wanted.workers = 1;
  }
  return wanted;
}

}  // namespace bench
