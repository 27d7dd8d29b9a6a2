// tine ir fuzz: compares all engines on random programs. It compiles many programs at a time, because most of LLVM's
// work for a small program is the same for every program. It compiles and runs them in a separate process, so that code
// which crashes or hangs is a finding like any other and is traced to its program.
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "command/ir.hpp"
#include "ir/disagreement.hpp"
#include "ir/generate.hpp"
#include "ir/print.hpp"

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace tine::cli {
namespace {

constexpr std::size_t joined = 32;  ///< programs in one: each returns at most two values, and an executable prints 64
constexpr std::size_t together = 16 * joined;  ///< programs in one process
constexpr unsigned most_seconds = 300;

spork::program made(const ir_options& o, std::uint64_t seed) {
  return spork::generate(seed, o.size, spork::some_loop_form(seed));
}

// Runs in the new process. Writes the disagreement, if there is one, to the file descriptor `to`. Exit code 0 means
// that all of it is written.
[[noreturn]] void compare_compiled(const ir_options& o, std::uint64_t seed, std::size_t count, int to) {
  alarm(most_seconds);
  std::string wrong;
  try {
    for (std::size_t begin = 0; begin < count && wrong.empty(); begin += joined) {
      std::vector<spork::program> programs;
      for (std::size_t i = begin; i < std::min(begin + joined, count); ++i) programs.push_back(made(o, seed + i));
      wrong = compiled_disagreement(o, programs);
    }
  } catch (const std::exception& e) {
    wrong = e.what();
  }
  for (std::size_t at = 0; at < wrong.size();) {
    const ssize_t n = write(to, wrong.data() + at, wrong.size() - at);
    if (n <= 0) _exit(1);
    at += static_cast<std::size_t>(n);
  }
  _exit(0);  // without destructors: another thread may still run
}

std::string said_end(int status) {
  if (WIFEXITED(status)) return fmt::format("compiled, it ends its process with {}", WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGALRM) return fmt::format("compiled, it still runs after {} s", most_seconds);
  return fmt::format("compiled, it is killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

// Compares the `count` programs from `seed` in a new process. Returns what is wrong with any of them; an empty string
// if nothing is.
std::string compiled_apart(const ir_options& o, std::uint64_t seed, std::size_t count) {
  int pipes[2];
  const auto failed = [] { throw refusal{fmt::format("no process can be started: {}", std::strerror(errno))}; };
  if (pipe(pipes) != 0) failed();
  const pid_t child = fork();
  if (child < 0) failed();
  if (child == 0) compare_compiled(o, seed, count, pipes[1]);
  close(pipes[1]);
  std::string wrong;
  char piece[4096];
  for (ssize_t n; (n = read(pipes[0], piece, sizeof piece)) > 0;) wrong.append(piece, static_cast<std::size_t>(n));
  close(pipes[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return wrong.empty() && status != 0 ? said_end(status) : wrong;
}

struct finding {
  std::string wrong;
  std::uint64_t seed = 0;
  std::size_t count = 1;  ///< more than 1 if no single program shows it
};

/// Narrows the finding by halves to the fewest programs that are still wrong.
finding narrowed(const ir_options& o, finding f) {
  while (f.count > 1) {
    const std::size_t half = f.count / 2;
    const finding parts[] = {{compiled_apart(o, f.seed, half), f.seed, half},
                             {compiled_apart(o, f.seed + half, f.count - half), f.seed + half, f.count - half}};
    const auto* bad = std::ranges::find_if(parts, [](const finding& part) { return !part.wrong.empty(); });
    if (bad == std::end(parts)) break;
    f = *bad;
  }
  return f;
}

[[noreturn]] void report(const ir_options& o, const finding& f) {
  const std::string how = fmt::format("tine ir fuzz --seed {} --count {} --size {}{}{}{}", f.seed, f.count, o.size,
                                      o.explored != 0 ? fmt::format(" --explore {}", o.explored) : "",
                                      o.with_jit ? " --jit" : "", o.with_elf ? " --elf" : "");
  const std::string level = o.fuzz_level ? fmt::format(" --level {}", *o.fuzz_level) : "";
  const std::string workers = o.workers != 0 ? fmt::format(" --workers {}", o.workers) : "";
  if (f.count > 1) {
    throw bad_program{fmt::format("// {} programs from seed {} on, none of them alone: {}\n// again: {}{}{}\n", f.count,
                                  f.seed, f.wrong, how, level, workers)};
  }
  const spork::program p = made(o, f.seed);
  throw bad_program{
      fmt::format("{}\n// {}: {}\n// again: {}{}{}\n", spork::print(p), p.name, f.wrong, how, level, workers)};
}

// Throws `bad_program` for the first program that the engines disagree on.
void compare_all(const ir_options& o) {
  progress shown{"comparing the engines", "programs", o.programs};
  for (std::size_t i = 0; i < o.programs; ++i) {
    shown.done(i);
    const std::uint64_t seed = o.seed + i;
    if (std::string wrong = spork::disagreement(made(o, seed), o.explored); !wrong.empty()) report(o, {wrong, seed});
    if ((!o.with_jit && !o.with_elf) || i % together != 0) continue;
    const std::size_t count = std::min(together, o.programs - i);
    if (std::string wrong = compiled_apart(o, seed, count); !wrong.empty())
      report(o, narrowed(o, {wrong, seed, count}));
  }
}

}  // namespace

int fuzz(const ir_options& o) {
  compare_all(o);
  print(fmt::format("{} programs from seed {} on: all engines agree\n", o.programs, o.seed));
  return success;
}

}  // namespace tine::cli
