// tine ir: Spork IR, verified, explored, run and compiled. Each verb is a subcommand of its own; the work is in src/spork.
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "spork/interpret.hpp"
#include "spork/load.hpp"
#include "spork/print.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

namespace tine::cli {
namespace {

struct options {
  std::string file;
  std::string engine = "interpret", schedule = "none";
  std::size_t most_steps = 1'000'000'000;
};

/// The program is bad; `what` says where and why, line by line.
struct bad_program : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// All of a file, or of standard input for `-`.
std::string read(const std::string& path) {
  const auto failed = [&] { throw refusal{fmt::format("{}: cannot be read: {}", path, std::strerror(errno))}; };
  std::FILE* in = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (in == nullptr) failed();
  std::string text;
  char piece[1 << 16];
  for (std::size_t n; (n = std::fread(piece, 1, sizeof piece, in)) != 0;) text.append(piece, n);
  const bool bad = std::ferror(in) != 0;
  if (in != stdin) std::fclose(in);
  if (bad) failed();
  return text;
}

std::string shown_name(const std::string& file) { return file == "-" ? "standard input" : file; }

spork::program load(const options& o) {
  spork::diagnostics wrong;
  spork::program p = spork::load(read(o.file), shown_name(o.file), wrong);
  if (!wrong.empty()) {
    throw bad_program{spork::render(wrong, p.name) +
                      fmt::format("{}: {} error{}\n", p.name, wrong.size(), wrong.size() == 1 ? "" : "s")};
  }
  return p;
}

int check(const options& o) {
  const spork::program p = load(o);
  std::size_t functions = 0, blocks = 0;
  for (const spork::function& f : p.functions) functions += f.in_c ? 0 : 1, blocks += f.blocks.size();
  print(fmt::format("{}: well-formed: {} functions, {} blocks\n", p.name, functions, blocks));
  return good;
}

int print_program(const options& o) {
  print(spork::print(load(o)));
  return good;
}

int run(const options& o) {
  spork::program p = load(o);
  if (o.engine == "elide") p = spork::elide(std::move(p));
  try {
    const auto schedule = spork::make_schedule(o.schedule);
    const std::string line = spork::show(spork::interpret(spork::semantics{p}, *schedule, o.most_steps));
    if (!line.empty()) print(line + "\n");
  } catch (const spork::trap& t) {
    throw bad_program{spork::render({{t.where, "trap", t.what()}}, p.name)};
  }
  return good;
}

// A bad program is no misuse of the command: what is wrong with it is the answer.
int diagnosed(int (*verb)(const options&), const options& o) {
  try {
    return verb(o);
  } catch (const bad_program& e) {
    fmt::print(stderr, "{}", e.what());
    return not_met;
  } catch (const std::invalid_argument& e) {
    throw refusal{e.what()};
  }
}

}  // namespace

command add_ir(CLI::App& tine) {
  auto given = std::make_shared<options>();
  auto chosen = std::make_shared<int (*)(const options&)>();
  CLI::App* app = tine.add_subcommand("ir", "Spork IR: checks, prints and runs programs; docs/spork.md is its manual.");
  app->require_subcommand(1);
  const auto add = [&](const char* name, const char* about, int (*verb)(const options&)) {
    CLI::App* sub = app->add_subcommand(name, about);
    sub->add_option("FILE", given->file, "The program; - is standard input")->required();
    sub->callback([chosen, verb] { *chosen = verb; });
    return sub;
  };
  add("check", "Says what is wrong with a program, all of it.", check);
  add("print", "Prints a program without its sugar.", print_program);
  CLI::App* runs = add("run", "Runs a program and prints what its main returns.", run);
  runs->add_option("--engine", given->engine, "interpret, or elide: interpret without any parallelism")
      ->check(CLI::IsMember({"interpret", "elide"}));
  runs->add_option("--schedule", given->schedule, "Of the interpreter: none, eager, seed:N, script:TURNS");
  runs->add_option("--max-steps", given->most_steps, "The interpreter stops a program that makes more");
  app->footer(
      "Exit codes: 0 good; 1 the program is wrong, or did what has no meaning; 2 wrong usage, or a file cannot be "
      "read.");
  return {app, [given, chosen] { return diagnosed(*chosen, *given); }};
}

}  // namespace tine::cli
