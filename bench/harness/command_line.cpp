// See command_line.hpp.
#include "harness/command_line.hpp"

#include <algorithm>
#include <thread>

namespace bench {
namespace {

constexpr int most_workers = 512;
constexpr int most_repeats = 1'000'000;
constexpr int most_passes = 1'000;

resume_choice resume_of(const std::string& chosen) {
  if (chosen == "finisher") return resume_choice::finisher;
  return chosen == "origin" ? resume_choice::origin : resume_choice::same_thread;
}

}  // namespace

request parse_command_line(const program& program, int argc, char** argv) {
  std::vector<std::string> names;
  for (const variant& v : program.variants) names.push_back(v.name);

  request wanted;
  std::string name = names.front();
  wanted.workers = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, unsigned{most_workers}));

  wanted.passes = program.passes;

  options given{program.name, program.description};
  given.word("--variant", name, names, [&](const std::string& chosen) { name = chosen; }, "How to compute it");
  given.number("--workers", wanted.workers, {1, most_workers}, "Threads that compute, this one included");
  given.number("--repeat", wanted.repeat, {1, most_repeats}, "Measured runs, after one unmeasured");
  given.number("--passes", wanted.passes, {1, most_passes},
               "How often a run solves the problem; its time is that of all");
  given.word(
      "--resume", "same_thread", {"same_thread", "origin", "finisher"},
      [&](const std::string& chosen) { wanted.resume = resume_of(chosen); },
      "Where tine's strands continue that waited at a join");
  given.flag("--json", wanted.json, "Print the result as one JSON object");
  given.flag("--serve", wanted.serve,
             "Print 'ready', then run once for each line read and print the seconds; at the end of the input print the "
             "result as one JSON object");
  program.add_options(given);
  given.parse(argc, argv);

  wanted.chosen = &*std::ranges::find(program.variants, name, &variant::name);
  if (wanted.chosen->runtime == runtime_kind::serial) {
    if (given.has("--workers") && wanted.workers != 1)
      given.refuse(format("--workers: {} is not allowed with --variant {}, which has 1 worker", wanted.workers, name));
    wanted.workers = 1;
  }
  return wanted;
}

}  // namespace bench
