// tine ir: verifies, explores, runs and compiles Spork IR. Each verb is a subcommand of its own; spork/ir does the
// work.
#include "command/ir.hpp"
#include "cli/print.hpp"
#include "cli/progress.hpp"
#include "cli/read_program.hpp"
#include "cli/spork_program.hpp"
#include "ir/c_functions.hpp"
#include "ir/codegen/jit.hpp"
#include "ir/explore.hpp"
#include "ir/interpret.hpp"
#include "ir/load.hpp"
#include "ir/parse.hpp"
#include "ir/pipeline.hpp"
#include "ir/print.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>

namespace tine::cli {
namespace {

int check(const ir_options& o) {
  const spork::program p = load_module(o);
  std::size_t functions = 0, blocks = 0;
  for (const spork::function& f : p.functions) functions += f.in_c || f.external ? 0 : 1, blocks += f.blocks.size();
  print(fmt::format("{}: well-formed: {} functions, {} blocks\n", p.name, functions, blocks));
  return success;
}

int print_program(const ir_options& o) {
  if (!o.optimised && o.print_after.empty()) {
    print(spork::print(load_module(o)));
    return success;
  }
  spork::program p = load_ir(o, spork::loop_form::chunked);
  const auto wanted = [&](std::string_view name) {
    return std::ranges::count(o.print_after, name) != 0 || std::ranges::count(o.print_after, "all") != 0;
  };
  std::string text;
  spork::optimise(p, [&](const spork::pass& after) {
    if (wanted(after.name)) text += fmt::format("// after {}: {}\n\n{}\n", after.name, after.about, spork::print(p));
  });
  print(text + (o.optimised ? spork::print(p) : ""));
  return success;
}

spork::rule_set rules_of(const ir_options& o) {
  return o.rules == "figure-3" ? spork::rule_set::figure_3 : spork::rule_set::reclaiming;
}

int run(const ir_options& o) {
  const bool chunked = o.optimised || o.engine == "jit";
  spork::program p = load_ir(o, chunked ? spork::loop_form::chunked : spork::loop_form::single);
  require_main(p);
  if (o.optimised) spork::optimise(p);
  if (o.engine == "jit") return run_jit(o, p);
  if (o.engine == "elide") p = spork::elide(std::move(p));
  return interpret_program(o, p);
}

}  // namespace

int interpret_program(const ir_options& o, const spork::program& p) {
  spork::run_counts done;
  try {
    const auto schedule = spork::make_schedule(o.schedule);
    const std::string line =
        spork::show(spork::interpret(spork::semantics{p, {}, rules_of(o)}, *schedule, o.most_steps, &done));
    print(done.output + (line.empty() ? "" : line + "\n"));
  } catch (const spork::trap& t) {
    print(done.output);
    throw bad_program{spork::render({{t.where, "trap", t.what()}}, p.name, p.sources)};
  }
  return success;
}

namespace {

// Returns the outcomes of the schedules, one line for each.
std::string show_outcomes(const ir_options& o, const spork::exploration& found) {
  const std::string rules = rules_of(o) == spork::rule_set::figure_3 ? "--rules=figure-3 " : "";
  std::string text;
  const auto add = [&](const std::string& what, const std::string& script) {
    text += fmt::format("  {} by {}--schedule='script:{}'\n", what, rules, script);
  };
  for (const auto& [answer, trace] : found.endings) add(answer.empty() ? "an end" : answer, spork::show(trace));
  if (found.never_ends) add("no end", spork::show(*found.never_ends));
  return text;
}

int explore(const ir_options& o) { return explore_program(o, load_ir(o)); }

}  // namespace

int explore_program(const ir_options& o, const spork::program& p) {
  require_main(p);
  const spork::semantics rules{p, {std::size_t{1} << 16}, rules_of(o)};
  const spork::exploration found = [&] {
    progress shown{"exploring", "states"};
    return spork::explore(rules, o.most_states, [&](std::size_t states) { shown.done(states); });
  }();
  const std::string seen = fmt::format("{} states, {} steps", found.states, found.steps);
  if (!found.violation.empty()) {
    throw bad_program{fmt::format("{}: {}\n  by --schedule='script:{}'\n  after {}\n", p.name, found.violation,
                                  spork::show(found.trace), seen)};
  }
  if (found.disagrees()) {
    throw bad_program{fmt::format("{}: the schedules lead to {} outcomes:\n{}  after {}{}\n", p.name,
                                  found.endings.size() + (found.never_ends ? 1 : 0), show_outcomes(o, found), seen,
                                  found.complete ? "" : ", but there are more")};
  }
  if (!found.complete) {
    throw bad_program{
        fmt::format("{}: no violation in {}, but there are more; give it a smaller input, or a larger "
                    "--max-states\n",
                    p.name, seen)};
  }
  print(fmt::format("{}: no violation in {}; every schedule {}\n", p.name, seen,
                    found.endings.empty()             ? "runs forever"
                    : found.endings[0].answer.empty() ? "ends"
                                                      : "gives " + found.endings[0].answer));
  return success;
}

namespace {

CLI::App* add_fuzz(CLI::App* app, const std::shared_ptr<ir_options>& given) {
  CLI::App* fuzzes = app->add_subcommand("fuzz", "Generate random programs and compare all engines on them.");
  fuzzes->add_option("--seed", given->seed, "Seed of the first program; each further program has the next one")
      ->capture_default_str();
  fuzzes->add_option("--count", given->programs, "Number of programs")->capture_default_str();
  fuzzes->add_flag("--jit", given->with_jit, "Also compile the programs and run them on tine's workers");
  fuzzes->add_flag("--elf", given->with_elf, "Also build executables and run them");
  fuzzes
      ->add_option(
          "--level", given->fuzz_level,
          "Optimisation level of LLVM after our own passes. Without this option: 2, and 0 for the program without our passes")
      ->check(CLI::Range(0u, 3u));
  fuzzes->add_option("--workers", given->workers,
                     "Number of workers for compiled programs; 0 for one on each processor");
  fuzzes->add_option("--size", given->size, "Approximate number of constructs in a function")
      ->check(CLI::Range(1u, 100u))
      ->capture_default_str();
  fuzzes->add_option("--explore", given->explored,
                     "Maximum number of states to explore in each program; 0 to explore none");
  return fuzzes;
}

}  // namespace

int diagnosed(const std::function<int()>& verb) {
  try {
    return verb();
  } catch (const bad_program& e) {
    print_error(e.what());
    return limit_exceeded;
  } catch (const std::invalid_argument& e) {
    throw refusal{e.what()};
  }
}

void add_build_options(CLI::App* builds, ir_options& given, const std::set<std::string>& kinds) {
  builds->add_option("-o", given.out, "File to write")->type_name("FILE");
  builds->add_flag("--elide", given.elided, "Leave out the sporks: plain sequential code, to compare with");
  builds
      ->add_option(
          "--emit", given.emit,
          "program: an executable; object: an object file with the exported functions or, if there are none, with main (link it with tine and -no-pie); llvm: LLVM's text")
      ->check(CLI::IsMember(kinds))
      ->capture_default_str();
  builds->add_option("--level", given.level, "Optimisation level of LLVM")
      ->check(CLI::Range(0u, 3u))
      ->capture_default_str();
  builds
      ->add_option("--march", given.processor,
                   "Processors that can run the code: all of that level, or those of this machine's kind (native)")
      ->check(CLI::IsMember(spork::processor_levels()))
      ->default_str(spork::base_level());
}

void add_promotion_option(CLI::App* to, ir_options& given) {
  to->add_option(
        "--promotion", given.promotion,
        "How a compiled spork is found for promotion. record: it writes a record; stackmap: a stack map finds it in its frame")
      ->check(CLI::IsMember({"record", "stackmap"}))
      ->capture_default_str();
  to->add_option(
        "--share", given.share,
        "Share of a parent's tokens that each child gets, in place of what the sporks say; for the policy heartbeat")
      ->check(CLI::IsMember({"half", "all", "none"}));
}

void add_policy_option(CLI::App* to, ir_options& given) {
  to->add_option(
        "--promote", given.promote,
        "When to promote forks of compiled code: on-demand, on-demand:2us,30, heartbeat:500us,30 or eager. Executables read TINE_PROMOTE instead")
      ->type_name("POLICY");
}

namespace {

void add_collect(CLI::App* to, ir_options& given) {
  to->add_flag("--collect", given.collects,
               "Use a garbage collector for the memory of compiled code; `free` does nothing then");
}

void add_rules(CLI::App* to, ir_options& given) {
  to->add_option(
        "--rules", given.rules,
        "Rules of the interpreter. runtime: a parent reclaims a child that has not started; figure-3: it never does, as in the paper's Figure 3")
      ->check(CLI::IsMember({"runtime", "figure-3"}))
      ->capture_default_str();
}

// Writes warnings about a file of a program that is well-formed.
void warn(const spork::program& p, const std::string& name) {
  print_error(spork::render(spork::warnings_of(p), name, p.sources));
}

// Returns a line for each error, and one with their number; nothing if there is none.
std::string render_all(const spork::diagnostics& wrong, const std::string& name, const spork::program& p) {
  if (wrong.empty()) return {};
  return spork::render(wrong, name, p.sources) +
         fmt::format("{}: {} error{}\n", name, wrong.size(), wrong.size() == 1 ? "" : "s");
}

}  // namespace

spork::program load_ir(const ir_options& o, spork::loop_form loops) {
  std::vector<spork::module_text> modules;
  for (const std::string& file : o.files) modules.push_back({program_name(file), read_program(file)});
  std::vector<spork::diagnostics> wrong;
  spork::program p = spork::load(modules, wrong, loops);
  std::string text;
  for (std::size_t i = 0; i < modules.size(); ++i) text += render_all(wrong[i], modules[i].name, p);
  text += render_all(wrong.back(), p.name, p);
  if (!text.empty()) throw bad_program{text};
  if (modules.size() == 1) warn(p, modules[0].name);
  for (std::size_t i = 0; i < modules.size() && modules.size() > 1; ++i)
    warn(spork::parse(modules[i].text, modules[i].name, wrong[i]), modules[i].name);
  return p;
}

spork::program load_module(const ir_options& o) {
  if (o.files.size() > 1) return load_ir(o);
  spork::diagnostics wrong;
  spork::program p = spork::load_module(read_program(o.files[0]), program_name(o.files[0]), wrong);
  if (!wrong.empty()) throw bad_program{render_all(wrong, p.name, p)};
  warn(p, p.name);
  return p;
}

void require_main(const spork::program& p) {
  if (p.find("main") != spork::none) return;
  throw bad_program{
      fmt::format("{}: there is no function 'main', so it cannot run by itself; write one, or build an object with "
                  "--emit=object and call its exported functions\n",
                  p.name)};
}

command add_ir(CLI::App& tine) {
  auto given = std::make_shared<ir_options>();
  auto chosen = std::make_shared<int (*)(const ir_options&)>();
  CLI::App* app = tine.add_subcommand("ir", about_ir);
  app->require_subcommand(1);
  app->footer(
      "Exit codes: 0 success; 1 the program is wrong, or did what has no meaning; 2 wrong usage, or a file cannot be read or written.");
  const auto add = [&](const char* name, const char* about, int (*verb)(const ir_options&)) {
    CLI::App* sub = app->add_subcommand(name, about);
    sub->add_option("FILE", given->files, "Program, or all of its files; - for standard input")
        ->required()
        ->type_name("FILE");
    sub->callback([chosen, verb] { *chosen = verb; });
    return sub;
  };
  add("check", "Report all errors of a program.", check);
  CLI::App* prints = add("print", "Print a program without its sugar.", print_program);
  std::vector<std::string> passes{"all"};
  for (const spork::pass& pass : spork::pipeline()) passes.emplace_back(pass.name);
  prints->add_option("--print-after", given->print_after, "Print the program after this pass; may be repeated")
      ->check(CLI::IsMember(passes));
  prints->add_flag("-O", given->optimised, "Print the program after all passes");
  CLI::App* runs = add("run", "Run a program and print what main returns.", run);
  runs->add_option("--engine", given->engine,
                   "interpret; elide: interpret without parallelism; jit: compile, and run on tine's workers")
      ->check(CLI::IsMember({"interpret", "elide", "jit"}))
      ->capture_default_str();
  runs->add_option("--workers", given->workers,
                   "Number of workers for the compiled program; 0 for one on each processor");
  runs->add_option("--level", given->level, "Optimisation level of LLVM")
      ->check(CLI::Range(0u, 3u))
      ->capture_default_str();
  add_promotion_option(runs, *given);
  add_collect(runs, *given);
  add_policy_option(runs, *given);
  runs->add_flag("-O", given->optimised, "Optimise the program with all passes first");
  runs->add_option("--schedule", given->schedule, "Schedule of the interpreter: none, eager, seed:N or script:TURNS");
  runs->add_option("--max-steps", given->most_steps, "Maximum number of steps of the interpreter")
      ->capture_default_str();
  add_rules(runs, *given);
  CLI::App* explores = add("explore", "Try every interleaving and every promotion of a small program.", explore);
  explores->add_option("--max-states", given->most_states, "Maximum number of states to explore")
      ->capture_default_str();
  add_rules(explores, *given);
  CLI::App* builds = add("build", "Compile a program to an executable.", build_ir);
  builds
      ->add_option("--header", given->header, "Also write a header for C and C++ that declares the exported functions")
      ->type_name("FILE");
  add_build_options(builds, *given, {"program", "object", "llvm"});
  add_promotion_option(builds, *given);
  add_collect(builds, *given);
  add_fuzz(app, given)->callback([chosen] { *chosen = fuzz; });
  return {app, [given, chosen] { return diagnosed([&] { return (*chosen)(*given); }); }};
}

}  // namespace tine::cli
