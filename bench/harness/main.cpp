// The main function of every benchmark program: the options that all programs take, the measured runs of one variant in
// this process, and the result as JSON for the driver and as a line for people.
#include "harness/peak_memory.hpp"
#include "harness/program.hpp"
#include "harness/runtime.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <istream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bench {
namespace {

/// The user's choices.
struct request {
  const variant* chosen = nullptr;  ///< one of the program's variants
  int workers = 1;
  int repeat = 9;
  int passes = 1;
  resume_choice resume = resume_choice::same_thread;
  bool json = false;
  bool serve = false;
  parameters problem = {};  ///< and the number of passes of a run, if it is not 1
};

constexpr int most_workers = 512;
constexpr int most_repeats = 1'000'000;
constexpr int most_passes = 1'000;

/// Reads the command line as `options::parse` does. Writes the problem's own parameters to the variables that
/// `add_options` named.
request parse_command_line(const program& program, int argc, char** argv) {
  std::vector<std::pair<std::string, const variant*>> variants;
  for (const variant& v : program.variants) variants.emplace_back(v.name, &v);

  request wanted;
  wanted.chosen = &program.variants.front();
  wanted.workers = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, unsigned{most_workers}));
  wanted.passes = program.passes;

  options given{program.name, program.description};
  given.word("--variant", wanted.chosen, variants, "How to compute it");
  given.number("--workers", wanted.workers, {1, most_workers}, "Threads that compute, this one included");
  given.number("--repeat", wanted.repeat, {1, most_repeats}, "Measured runs, after one unmeasured");
  given.number("--passes", wanted.passes, {1, most_passes},
               "How often a run solves the problem; its time is that of all");
  given.word("--resume", wanted.resume,
             {{"same_thread", resume_choice::same_thread},
              {"origin", resume_choice::origin},
              {"finisher", resume_choice::finisher}},
             "Where tine's strands continue that waited at a join");
  given.flag("--json", wanted.json, "Print the result as one JSON object");
  given.flag("--serve", wanted.serve,
             "Print 'ready', then run once for each line read and print the seconds; at the end of the input print the "
             "result as one JSON object");
  const parameters of_every_program = given.values();
  program.add_options(given);
  given.parse(argc, argv);
  wanted.problem = given.values();
  std::erase_if(wanted.problem, [&](const auto& p) {
    return of_every_program.contains(p.first) && (p.first != "passes" || wanted.passes == 1);
  });

  if (wanted.chosen->runtime == runtime_kind::serial) {
    if (given.has("--workers") && wanted.workers != 1)
      given.refuse(format("--workers: {} is not allowed with --variant {}, which has 1 worker", wanted.workers,
                          wanted.chosen->name));
    wanted.workers = 1;
  }
  return wanted;
}

/// The results of the runs so far.
struct result {
  std::vector<double> seconds;
  value answer;
  std::string mistake;  ///< of the first wrong answer; empty while all were right
  event_counts counts;
  std::int64_t base_rss_kib = 0;  ///< peak memory with the inputs made and before the workers started

  bool verified() const { return mistake.empty(); }
};

/// A runtime with its workers, and the runs made on it. Every pass of every run is checked, including the unmeasured
/// pass.
class session {
 public:
  /// Starts the workers and makes one unmeasured pass, which touches all memory and wakes all workers. Both arguments
  /// must outlive the session.
  session(const program& program, const request& request);

  /// Makes one measured run and returns its seconds.
  double run();

  /// Prints "ready", then makes one measured run for each line read and prints its seconds. So another process can
  /// alternate the runs of several sessions.
  void serve(std::istream& orders, std::ostream& out);

  result results() const;

 private:
  std::int64_t make_inputs() const;
  double pass_and_examine();

  const program& program_;
  const variant& variant_;
  const int passes_;
  const std::int64_t base_rss_kib_;
  std::unique_ptr<runtime> runtime_;
  result result_;
};

runtime_options options_for(const program& program, const request& request) {
  const bool shallow = request.chosen->runtime == runtime_kind::tine_tasks;
  return {.workers = request.workers,
          .stack_bytes = shallow ? shallow_stack_bytes : program.stack_bytes(),
          .resume = request.resume};
}

session::session(const program& program, const request& request)
    : program_{program},
      variant_{*request.chosen},
      passes_{request.passes},
      base_rss_kib_{make_inputs()},
      runtime_{start_runtime(request.chosen->runtime, options_for(program, request))} {
  pass_and_examine();
}

std::int64_t session::make_inputs() const {
  program_.reset();
  return peak_memory_kib();
}

double session::pass_and_examine() {
  program_.reset();
  runtime_->run(variant_.prepare);
  const auto began = std::chrono::steady_clock::now();
  runtime_->run(variant_.run);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;

  // After a mistake the result keeps the wrong answer.
  if (!result_.verified()) return took.count();
  finding found = program_.examine();
  result_.answer = found.answer;
  result_.mistake = std::move(found.mistake);
  return took.count();
}

double session::run() {
  double seconds = 0;
  for (int i = 0; i < passes_; ++i) seconds += pass_and_examine();
  result_.seconds.push_back(seconds);
  return seconds;
}

void session::serve(std::istream& orders, std::ostream& out) {
  out << "ready" << std::endl;
  for (std::string order; std::getline(orders, order);) out << format("{:.9f}", run()) << std::endl;
}

result session::results() const {
  result r = result_;
  r.counts = runtime_->counts();
  if (r.verified()) r.mistake = runtime_->broken_promise();
  r.base_rss_kib = base_rss_kib_;
  return r;
}

struct summary {
  double median = 0;
  double min = 0;
  double max = 0;
};

summary summarise(std::vector<double> xs) {
  if (xs.empty()) return {};
  std::ranges::sort(xs);
  const std::size_t half = xs.size() / 2;
  const double median = xs.size() % 2 == 1 ? xs[half] : (xs[half - 1] + xs[half]) / 2;
  return {median, xs.front(), xs.back()};
}

nlohmann::json as_json(const value& v) {
  return std::visit([](const auto& x) -> nlohmann::json { return x; }, static_cast<const value::variant&>(v));
}

nlohmann::json as_json(const parameters& all) {
  nlohmann::json j = nlohmann::json::object();
  for (const auto& [name, v] : all) j[name] = as_json(v);
  return j;
}

/// Returns all that this process knows about its runs, as a JSON object with the field names in bench/README.md. Reads
/// the peak memory at the time of the call.
std::string as_json(const program& program, const request& request, const result& result) {
  const summary s = summarise(result.seconds);
  nlohmann::json j{
      {"program", program.name},
      {"params", as_json(request.problem)},
      {"variant", request.chosen->name},
      {"workers", request.workers},
      {"seconds", result.seconds},
      {"median_s", s.median},
      {"min_s", s.min},
      {"max_s", s.max},
      {"max_rss_kib", peak_memory_kib()},
      {"base_rss_kib", result.base_rss_kib},
      {"answer", as_json(result.answer)},
      {"verified", result.verified()},
      {"compiler", BENCH_COMPILER},
      {"flags", BENCH_FLAGS},
  };
  if (!result.verified()) j["mistake"] = result.mistake;
  if (!result.counts.empty()) j["counters"] = result.counts;
  return j.dump();
}

/// Returns the main results for people, on one line.
std::string as_text(const program& program, const request& request, const result& result) {
  const summary s = summarise(result.seconds);
  return format("{} {}, {} on {} worker{}: median {:.4f} s of {} [{:.4f}..{:.4f}], peak {:.1f} MiB, answer {} {}",
                program.name, as_json(request.problem).dump(), request.chosen->name, request.workers,
                request.workers == 1 ? "" : "s", s.median, result.seconds.size(), s.min, s.max,
                static_cast<double>(peak_memory_kib()) / 1024, as_json(result.answer).dump(),
                result.verified() ? "verified" : "WRONG");
}

/// Returns the exit status: 0 all answers are right, 1 an answer is wrong, 2 a bad option, 3 the program could not run.
int run(const program& program, int argc, char** argv) {
  const request request = parse_command_line(program, argc, argv);
  move_to_rivals(request.chosen->runtime, argv);
  session session{program, request};
  if (request.serve) {
    session.serve(std::cin, std::cout);
  } else {
    for (int i = 0; i < request.repeat; ++i) session.run();
  }

  const result result = session.results();
  std::cout << (request.json || request.serve ? as_json(program, request, result) : as_text(program, request, result))
            << std::endl;
  if (result.verified()) return 0;
  std::cerr << program.name << ": wrong answer: " << result.mistake << "\n";
  return 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const bench::program program = bench::describe_program();
  try {
    return bench::run(program, argc, argv);
  } catch (const std::invalid_argument& error) {  // an option or environment variable that a runtime refuses
    std::cerr << program.name << ": " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << program.name << ": " << error.what() << "\n";
    return 3;
  }
}
