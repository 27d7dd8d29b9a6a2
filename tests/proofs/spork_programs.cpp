// Prints programs of `tine ir`, and what the verifier, the interpreter and the explorer find of each. The program that
// Coq has made of proofs/spork finds the same (bridge_test.py compares).
//
//     spork_programs [--seed N] [--programs N] [--mutants N] [--states N] [--without RULE] [--rules MUTANT] [FILE...]
//
// Prints the FILEs and `--programs` random programs, each with `--mutants` random changes of it. `--states` is the size
// up to which the explorer looks at programs. Two options make a deliberate mistake: the verifier without one of its
// rules, and the semantics with a wrong one.
//
// A program is printed as
//
//     program NAME
//     the program, see exported.hpp
//     verdict ok | verdict RULE...
//     sequential ANSWER          the interpreter's, without promotions
//     run ANSWER                 with other schedules
//     figure-3 N                 the explorer's, under the rules of the paper, in N lines
//     ANSWER
//     runtime N                  the same under the runtime's rules, which have one more
//     ANSWER
//     end
//
// where everything behind the verdict is there only for well-formed programs of what the proofs model, and the
// explorer's answers only where it saw all states.
#include "proofs/exported.hpp"
#include "proofs/mutation.hpp"

#include "ir/explore.hpp"
#include "ir/generate.hpp"
#include "ir/interpret.hpp"
#include "ir/parse.hpp"
#include "ir/verify.hpp"
#include "unit/ir/mutants.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

namespace {

using namespace tine::spork;

// The rules that the proofs have, too. Other rules are about types, C and names.
const std::set<std::string_view> rules_of_blocks{
    "entry",   "unknown-block",       "unknown-function",    "unknown-temporary",
    "nesting", "return-inside-spork", "spoin-outside-spork", "scope"};
// The proofs have these, too, and count values; the verifier also compares the types of values.
const std::set<std::string_view> rules_of_counts{"block-arguments", "call-arguments", "return-values", "main"};

constexpr std::size_t most_steps = 100'000;
constexpr limits small{.cells = std::size_t{1} << 16};

struct options {
  std::uint64_t seed = 1;
  std::size_t programs = 0, mutants = 0, states = 2000;
  std::string without, rules;
};

class printer {
 public:
  explicit printer(const options& o) : o_{o} {}

  void print(program p, const std::string& name) {
    for (const function& f : p.functions) {
      if (f.defined && !f.in_c && (f.blocks.empty() || !f.blocks[0].defined)) return;
      for (const block& b : f.blocks) {  // the proofs have no addresses
        if (std::holds_alternative<indirect_call>(b.end.what)) return;
      }
    }
    bridge::normalise(p);
    std::set<std::string_view> broken;
    for (const diagnostic& d : verify(p)) {
      if (d.rule != o_.without) broken.insert(d.rule);
    }
    const bool modelled = bridge::is_modelled(p);
    for (const std::string_view rule : broken) {
      if (!rules_of_blocks.contains(rule) && !(modelled && rules_of_counts.contains(rule))) return;
    }
    if (has_exports(p)) return;
    std::printf("program %s\n%sverdict", name.c_str(), bridge::exported(p).c_str());
    for (const std::string_view rule : broken) std::printf(" %s", std::string{rule}.c_str());
    std::printf("%s\n", broken.empty() ? " ok" : "");
    if (broken.empty() && modelled && o_.without.empty()) print_answers(p);
    std::puts("end");
  }

 private:
  void print_answers(const program& p) const {
    if (o_.rules.empty()) {  // a wrong rule could end this process; the explorer reports it
      const semantics right{p, small};
      print_run("sequential", right, "none");
      for (const char* schedule : {"eager", "seed:1", "seed:2"}) print_run("run", right, schedule);
    }
    print_explored("figure-3", p, rule_set::figure_3);
    print_explored("runtime", p, rule_set::reclaiming);
  }

  std::unique_ptr<semantics> rules_of(const program& p, rule_set rules) const {
    for (auto& [name, wrong] : mutants::all(p, small, rules)) {
      if (name == o_.rules) return std::move(wrong);
    }
    return std::make_unique<semantics>(p, small, rules);
  }

  void print_explored(const char* what, const program& p, rule_set rules) const {
    std::set<std::string> answers;
    if (!explored(*rules_of(p, rules), answers)) return;
    std::printf("%s %zu\n", what, answers.size());
    for (const std::string& a : answers) std::puts(a.c_str());
  }

  static void print_run(const char* what, const semantics& rules, const char* text) {
    try {
      std::printf("%s %s\n", what, show(interpret(rules, *make_schedule(text), most_steps)).c_str());
    } catch (const trap&) {
      // the program runs for long, or needs more than the limits allow
    }
  }

  bool explored(const semantics& rules, std::set<std::string>& answers) const {
    const exploration found = explore(rules, o_.states);
    if (!found.violation.empty()) {
      answers.insert("violated: " + found.violation);
      return true;
    }
    for (const exploration::ending& e : found.endings) {
      if (e.answer == "trap") return false;
      answers.insert(e.answer);
    }
    return found.complete;
  }

  const options& o_;
};

void print_all(const options& o, const program& p, const std::string& name, std::uint64_t seed) {
  printer out{o};
  out.print(p, name);
  dice random{seed};
  for (std::size_t i = 0; i < o.mutants; ++i) {
    program changed = p;
    for (std::uint64_t n = 1 + random.below(2); n > 0; --n) bridge::mutation{changed, random}.run();
    out.print(changed, name + "/" + std::to_string(i));
  }
}

void print_text(const options& o, const std::string& text, const std::string& name) {
  diagnostics wrong;
  program p = parse(text, name, wrong);
  encode(p, wrong);
  if (!wrong.empty()) return;  // it is no program
  options alone = o;
  if (!bridge::is_modelled(p) || p.functions.empty()) alone.mutants = 0;
  print_all(alone, p, name, o.seed);
}

/// Prints the program of a file, or the programs behind its lines that begin with "//// ".
void print_file(const options& o, const std::string& file) {
  std::ifstream in{file};
  const std::string base = std::filesystem::path{file}.filename().string();
  std::string name = base, text;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("//// ")) {
      print_text(o, text, name);
      name = base + ":" + line.substr(5), text.clear();
    }
    text += line + "\n";
  }
  print_text(o, text, name);
}

}  // namespace

int main(int count, char** words) {
  options o;
  int i = 1;
  for (; i + 1 < count && std::string_view{words[i]}.starts_with("--"); i += 2) {
    const std::string_view option = words[i];
    const char* const value = words[i + 1];
    const std::size_t number = std::strtoull(value, nullptr, 10);
    if (option == "--seed") o.seed = number;
    if (option == "--programs") o.programs = number;
    if (option == "--mutants") o.mutants = number;
    if (option == "--states") o.states = number;
    if (option == "--without") o.without = value;
    if (option == "--rules") o.rules = value;
  }
  for (; i < count; ++i) print_file(o, words[i]);
  for (std::size_t n = 0; n < o.programs; ++n) {
    const std::uint64_t seed = o.seed + n;
    const unsigned size = n % 2 == 0 ? 2 : 6;
    print_all(o, generate(seed, size, loop_form::single, fragment::whole_numbers), "seed:" + std::to_string(seed),
              seed);
  }
}
