// tine ml: checks, runs and formats programs in Parallel ML. Each verb is a subcommand of its own; spork/ml does the
// work.
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/read_program.hpp"
#include "cli/replace_file.hpp"
#include "cli/spork_program.hpp"
#include "command/ir.hpp"
#include "ir/encode.hpp"
#include "ir/interpret.hpp"
#include "ir/pipeline.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "ml/elaboration.hpp"
#include "ml/format.hpp"
#include "ml/lower/lower_program.hpp"
#include "ml/parse.hpp"
#include "ml/print.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tine::cli {
namespace {

struct ml_options {
  std::vector<std::string> files = {};
  bool checks_types = true;
  std::string main_file = {};                // of `run`: the last file
  ir_options code = {};                      // how the program is compiled
  std::size_t columns = ml::format_columns;  // of `fmt`
  bool only_checks = false;
};

// A program: its files, their trees, and what is wrong with them.
struct ml_program {
  ml::source_files files;
  std::deque<ml::syntax_tree> trees;
  ml::diagnostics wrong;
  std::unique_ptr<ml::typed::program> typed;
};

// Reads the files and runs the stages of the front end.
ml_program load_ml(const ml_options& o) {
  ml_program p;
  for (const std::string& path : o.files) {
    const auto number = static_cast<std::uint32_t>(p.files.size());
    const ml::source& file = p.files.emplace_back(number, program_name(path), read_program(path));
    p.trees.push_back(ml::parse(file, p.wrong));
  }
  if (!o.checks_types || p.wrong.has_errors()) return p;
  ml::elaboration elaboration{p.files, p.wrong};
  for (const ml::syntax_tree& tree : p.trees) elaboration.add(tree);
  p.typed = elaboration.finish();
  return p;
}

// Writes what is wrong to standard error; returns false if the program cannot be used.
bool judge(ml_program& p) {
  p.wrong.sort();
  std::string text = ml::render(p.wrong, p.files);
  const std::size_t errors = p.wrong.errors();
  if (errors != 0) text += fmt::format("{} error{}\n", errors, errors == 1 ? "" : "s");
  if (!text.empty()) print_error(text);
  return errors == 0;
}

int check(const ml_options& o) {
  ml_program p = load_ml(o);
  if (!judge(p)) return limit_exceeded;
  std::size_t declarations = 0;
  for (const ml::syntax_tree& tree : p.trees) declarations += tree.declarations.size();
  print(fmt::format("{}: no errors in {} declaration{}\n", fmt::join(o.files, ", "), declarations,
                    declarations == 1 ? "" : "s"));
  return success;
}

int print_program(const ml_options& o) {
  ml_program p = load_ml({.files = o.files, .checks_types = false});
  if (!judge(p)) return limit_exceeded;
  print(ml::print(p.trees.front()));
  return success;
}

// Formats files that have nothing to do with each other. One with errors does not keep the others from being formatted.
int format(const ml_options& o) {
  int code = success;
  for (const std::string& path : o.files) {
    ml_program p = load_ml({.files = {path}, .checks_types = false});
    if (!judge(p)) {
      code = limit_exceeded;
      continue;
    }
    const std::string text = ml::format(p.files.front(), o.columns);
    const bool differs = text != p.files.front().text();
    if (o.only_checks) {
      if (!differs) continue;
      print(p.files.front().name() + "\n");
      code = limit_exceeded;
    } else if (path == "-") {
      print(text);
    } else if (differs) {
      replace_file(path, text);
    }
  }
  return code;
}

// Compiles the program to Spork IR.
spork::program compile(ml_program& p, spork::loop_form loops) {
  spork::program made = ml::lower_program(*p.typed, p.files, p.files[p.trees.size() - 1].name());
  spork::diagnostics wrong;
  spork::encode(made, wrong, loops);
  if (wrong.empty()) wrong = spork::verify(made);
  if (!wrong.empty()) {
    throw std::logic_error{"the compiler has made a wrong program; please report this:\n" +
                           spork::render(wrong, made.name, made.sources)};
  }
  return made;
}

// The program as the options want it compiled: its loops in chunks, or without sporks.
spork::program compile(ml_program& p, const ml_options& o) {
  if (o.code.elided) return spork::elide(compile(p, spork::loop_form::single));
  return compile(p, spork::loop_form::chunked);
}

int run(const ml_options& given) {
  ml_options o = given;
  o.files.push_back(o.main_file);
  ml_program p = load_ml(o);
  if (p.wrong.has_errors() && !judge(p)) return limit_exceeded;  // warnings are for check and build
  if (!o.code.schedule.empty()) return interpret_program(o.code, compile(p, spork::loop_form::single));
  spork::program made = compile(p, o);
  spork::optimise(made);
  return run_jit(o.code, made);
}

int explore(const ml_options& o) {
  ml_program p = load_ml(o);
  if (p.wrong.has_errors() && !judge(p)) return limit_exceeded;
  return explore_program(o.code, compile(p, spork::loop_form::single));
}

int build(const ml_options& o) {
  ml_program p = load_ml(o);
  if (!judge(p)) return limit_exceeded;
  const spork::program made = compile(p, o);
  if (o.code.emit != "ir") return build_program(o.code, made);
  write_to(o.code.out == "a.out" ? "" : o.code.out, spork::print(made));
  return success;
}

void add_run_options(CLI::App* runs, ml_options& given) {
  runs->add_option("FILE", given.main_file, "Program; - for standard input")->required()->type_name("FILE");
  runs->add_option("ARGUMENT", given.code.arguments, "Arguments that CommandLine.arguments () returns")
      ->type_name("ARGUMENT");
  runs->positionals_at_end();
  runs->add_option("--with", given.files, "File to load before the program; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  runs->add_option("--workers", given.code.workers, "Number of workers; 0 for one on each processor")
      ->check(CLI::Range(0u, 1024u));
  runs->add_option("--level", given.code.level, "Optimisation level of LLVM")
      ->check(CLI::Range(0u, 3u))
      ->capture_default_str();
  runs->add_flag("--elide", given.code.elided, "Leave out the sporks: a sequential program, to compare with");
  runs->add_option(
      "--schedule", given.code.schedule,
      "Interpret the program with this schedule instead: none, eager, seed:N, or a script that `explore` printed");
  add_promotion_option(runs, given.code);
  add_policy_option(runs, given.code);
}

}  // namespace

command add_ml(CLI::App& tine) {
  auto given = std::make_shared<ml_options>();
  auto chosen = std::make_shared<int (*)(const ml_options&)>();
  CLI::App* app = tine.add_subcommand("ml", about_ml);
  app->require_subcommand(1);
  app->footer(
      "Exit codes: 0 success; 1 the program is wrong, or fmt --check lists a file; 2 wrong usage, or a file cannot be read or written.");
  const auto add = [&](const char* name, const char* about, int (*verb)(const ml_options&)) {
    CLI::App* sub = app->add_subcommand(name, about);
    sub->callback([chosen, verb] { *chosen = verb; });
    return sub;
  };
  CLI::App* checked = add("check", "Report all errors of a program.", check);
  checked->add_flag("!--syntax", given->checks_types, "Check only the syntax, not names and types");
  checked->add_option("FILE", given->files, "Files of the program in order; - for standard input")
      ->required()
      ->type_name("FILE");
  const auto add_files = [&](CLI::App* to) {
    to->add_option("FILE", given->files, "Files of the program in order; - for standard input")
        ->required()
        ->type_name("FILE");
  };
  given->code.collects = true;
  given->code.schedule.clear();
  add_run_options(add("run", "Compile a program and run it on tine's workers.", run), *given);
  CLI::App* explores =
      add("explore", "Try every interleaving and every promotion of a small program that only prints.", explore);
  add_files(explores);
  explores->add_option("--max-states", given->code.most_states, "Maximum number of states to explore")
      ->capture_default_str();
  CLI::App* builds = add("build", "Compile a program to an executable.", build);
  add_files(builds);
  add_build_options(builds, given->code, {"program", "object", "llvm", "ir"});
  add_promotion_option(builds, given->code);
  CLI::App* formats =
      add("fmt", "Format files in place; comments, parentheses and the spelling of constants stay.", format);
  formats->add_option("FILE", given->files, "Files to format; - formats standard input to standard output")
      ->required()
      ->type_name("FILE");
  formats->add_flag("--check", given->only_checks,
                    "Change nothing; list the files that would change, and exit with 1 if there are any");
  formats->add_option("--width", given->columns, "Maximum length of a line, where possible")
      ->check(CLI::Range(std::size_t{20}, std::size_t{1000}))
      ->capture_default_str();
  add("print", "Print a file as the parser understands it: without comments and superfluous parentheses.",
      print_program)
      ->add_option("FILE", given->files, "File to print; - for standard input")
      ->required()
      ->expected(1)
      ->type_name("FILE");
  return {app, [given, chosen] { return diagnosed([&] { return (*chosen)(*given); }); }};
}

}  // namespace tine::cli
