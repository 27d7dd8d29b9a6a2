// tine perturb: runs a program again and again, each time in another order of its strands, until it fails, and keeps
// the order that failed.
#include "cli/command.hpp"
#include "cli/duration.hpp"
#include "cli/print.hpp"
#include "cli/printable.hpp"
#include "cli/progress.hpp"
#include "cli/run_child.hpp"

#include <tine/replay/journal.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

namespace fs = std::filesystem;

struct perturb_options {
  std::uint64_t runs = 1000, seed = 1;
  unsigned replays = 3;
  std::optional<std::string> timeout;
  std::string output = "failed.journal";
  std::vector<std::string> command;
};

// A file without a name for the output of the program.
class output_file {
 public:
  output_file() : fd_{open(fs::temp_directory_path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)} {
    if (fd_ < 0) throw refusal{"cannot make a temporary file in " + fs::temp_directory_path().string()};
  }
  ~output_file() { close(fd_); }
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  // In the new process: both streams go to the file.
  void take_streams() const {
    dup2(fd_, STDOUT_FILENO);
    dup2(fd_, STDERR_FILENO);
  }
  void clear() const {
    if (ftruncate(fd_, 0) != 0) throw refusal{"cannot empty a temporary file"};
    lseek(fd_, 0, SEEK_SET);
  }
  // Returns the end of the text, at most 4 KiB.
  std::string last() const {
    constexpr off_t most = 4096;
    const off_t end = lseek(fd_, 0, SEEK_END);
    std::string text(static_cast<std::size_t>(std::min(end, most)), '\0');
    const ssize_t n = pread(fd_, text.data(), text.size(), std::max<off_t>(0, end - most));
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }

 private:
  int fd_;
};

class search {
 public:
  // `timeout`: in nanoseconds; 0: as the first run says.
  search(const perturb_options& o, std::uint64_t timeout)
      : o_{o},
        timeout_{timeout},
        has_timeout_{timeout != 0},
        kept_{(fs::current_path() / o.output).string()},
        tried_{kept_ + ".running"} {}
  ~search() {
    std::error_code ignored;
    fs::remove(tried_, ignored);
  }
  search(const search&) = delete;
  search& operator=(const search&) = delete;

  int run() {
    if (!has_timeout_) run_unperturbed();
    began_ = std::chrono::steady_clock::now();
    while (done_ < o_.runs) {
      perturb_until_failure();
      if (has_failed_ && judge()) return limit_exceeded;
    }
    return say_nothing_found();
  }

 private:
  static bool failed(const child_end& end) { return end.exit_code != 0 || end.was_stopped; }

  child_end start(const char* variable, const std::string& value, std::uint64_t timeout) const {
    output_.clear();
    const child_end end = run_child(
        o_.command,
        [&](pid_t) {
          for (const char* name : {"TINE_RECORD", "TINE_REPLAY", "TINE_PERTURB"}) unsetenv(name);
          if (variable != nullptr) setenv(variable, value.c_str(), 1);
          output_.take_streams();
        },
        timeout);
    if (end.exit_code == 128 + SIGINT && !end.was_stopped)
      throw refusal{fmt::format("interrupted in run {} of {}", done_, o_.runs)};
    return end;
  }

  // A perturbed run has one strand at a time, and hands many of them over between threads. So a small program takes
  // some hundred times as long, and a large one a few times: the limit has a floor.
  void run_unperturbed() {
    constexpr std::uint64_t longest = 60'000'000'000, floor = 10'000'000'000, factor = 50;
    const auto began = std::chrono::steady_clock::now();
    const child_end end = start(nullptr, "", longest);
    by_itself_ = static_cast<std::uint64_t>(std::chrono::nanoseconds{std::chrono::steady_clock::now() - began}.count());
    if (end.was_stopped)
      throw refusal{fmt::format("{} runs for longer than {} by itself; say by --timeout when a run has failed",
                                printable(o_.command.front()), duration(static_cast<double>(longest)))};
    if (failed(end)) print_error("without perturbation, too, the program " + end.said + "\n");
    timeout_ = std::max(floor, factor * by_itself_);
  }

  void perturb_until_failure() {
    progress shown{"perturbing " + printable(o_.command.front()), "runs", o_.runs};
    for (has_failed_ = false; done_ < o_.runs && !has_failed_;) {
      shown.done(done_);
      try_one(o_.seed + done_++);
      if (done_ == 1) check_journal();
    }
  }

  void try_one(std::uint64_t seed) {
    end_ = start("TINE_PERTURB", std::to_string(seed) + ":" + tried_, timeout_);
    has_failed_ = failed(end_);
  }

  void check_journal() const {
    if (journal::is_journal(tried_)) return;
    throw refusal{
        fmt::format("{} {} and wrote no journal: it does not call tine, or is not linked with tine::replay, or {} "
                    "cannot be written. "
                    "Its output: {}",
                    printable(o_.command.front()), end_.said, printable(kept_), printable(output_.last()))};
  }

  double runs_per_second() const {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_;
    return static_cast<double>(done_) / took.count();
  }

  std::string command() const {
    std::string text;
    for (const std::string& word : o_.command) {
      const bool is_plain = !word.empty() && word.find_first_not_of(
                                                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                                 "_-+=./:,@%") == word.npos;
      text += ' ' + (is_plain ? word : fmt::format("'{}'", word));
    }
    return text;
  }

  std::string how_it_ended() const {
    if (!end_.was_stopped) return end_.said;
    const std::string by_itself =
        has_timeout_ ? "" : "; by itself it takes " + duration(static_cast<double>(by_itself_));
    return "ran for longer than " + (has_timeout_ ? *o_.timeout : duration(static_cast<double>(timeout_))) + by_itself;
  }

  // Replays the run that has failed, and keeps its order if a replay fails, too. Returns true if it does. Otherwise the
  // order wasn't the cause.
  bool judge() {
    const double rate = runs_per_second();
    const std::string said = output_.last();
    print_error(fmt::format("run {} of {}, seed {}: the program {}\n{:.1f} runs/s\n", done_, o_.runs,
                            o_.seed + done_ - 1, how_it_ended(), rate));
    if (!said.empty()) print_error("its output:\n" + said + (said.back() == '\n' ? "" : "\n"));
    unsigned again = 0;
    for (unsigned i = 0; i < o_.replays; ++i)
      again += failed(start("TINE_REPLAY", tried_ + ",serial", timeout_)) ? 1 : 0;
    if (o_.replays != 0 && again == 0) {
      ++not_reproduced_;
      print_error(
          fmt::format("not reproduced: none of {} serial replays fails, and the order is not kept\n", o_.replays));
      return false;
    }
    fs::rename(tried_, kept_);
    if (o_.replays != 0) print_error(fmt::format("{} of {} serial replays fail, too\n", again, o_.replays));
    print_error(fmt::format("kept {}; this repeats the run:\n  TINE_REPLAY={},serial{}\n", printable(o_.output),
                            printable(o_.output), command()));
    return true;
  }

  int say_nothing_found() const {
    const std::string result =
        not_reproduced_ == 0 ? "none failed" : fmt::format("{} failed, and no failure was reproduced", not_reproduced_);
    print_error(fmt::format("{} runs from seed {} on: {}\n{:.1f} runs/s\n", done_, o_.seed, result, runs_per_second()));
    return not_reproduced_ == 0 ? success : unjudged;
  }

  const perturb_options& o_;
  std::uint64_t timeout_, by_itself_ = 0;  // in nanoseconds
  const bool has_timeout_;                 // the user gave the timeout
  const std::string kept_, tried_;
  const output_file output_;
  std::chrono::steady_clock::time_point began_;
  std::uint64_t done_ = 0, not_reproduced_ = 0;
  bool has_failed_ = false;
  child_end end_;
};

int perturb(const perturb_options& o) {
  if (!o.timeout) return search{o, 0}.run();
  const std::optional<double> timeout = parse_duration(*o.timeout);
  if (!timeout || *timeout < 1e6)
    throw refusal{"--timeout: '" + *o.timeout + "' is not a time of at least 1ms; write e.g. 10s"};
  return search{o, static_cast<std::uint64_t>(*timeout)}.run();
}

}  // namespace

command add_perturb(CLI::App& tine) {
  auto given = std::make_shared<perturb_options>();
  CLI::App* app = tine.add_subcommand(
      "perturb", "Run a program with a different order of strands each time until it fails, and save that order.");
  app->add_option("--runs", given->runs, "Maximum number of runs")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  app->add_option("--seed", given->seed, "Seed of the first run; each further run has the next one")
      ->capture_default_str();
  app->add_option(
      "--timeout", given->timeout,
      "Maximum time of a run, e.g. 30s; a run that takes longer has failed; by default 50 times as long as the program takes without perturbation, and at least 10s");
  app->add_option("--replays", given->replays, "Replay a failing run N times and report how many replays fail too")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  app->add_option("-o,--output", given->output, "File for the order that failed")
      ->capture_default_str()
      ->type_name("FILE");
  app->add_option("COMMAND", given->command, "Program and its arguments, after --")->required()->type_name("COMMAND");
  app->footer(
      "The program is not recompiled. In each run one strand runs at a time. The seed decides which branches and parts of\n"
      "loops run on other workers, which first branches wait at their forks, and which ready strand comes next. A run fails\n"
      "by an exit code other than 0, by a signal, or by the timeout. The output of the program is hidden until it fails.\n"
      "A failure counts if at least one replay of the run fails, too.\n"
      "docs/reference/replay.md is the manual.\n\n"
      "Exit codes: 0 no run failed; 1 a run failed; 2 wrong usage, or the program could not be run; 3 runs failed, and no\n"
      "replay did.");
  return {app, [given] { return perturb(*given); }};
}

}  // namespace tine::cli
