// The explorer on the library of small programs, on wrong semantics, and on wrong programs.
#include "ir/explore.hpp"
#include "ir/encode.hpp"
#include "ir/interpret.hpp"
#include "ir/parse.hpp"
#include "ir/state_graph.hpp"
#include "ir/verify.hpp"
#include "unit/ir/library.hpp"
#include "unit/ir/mutants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

namespace {

using namespace tine::spork;

constexpr limits small{std::size_t{1} << 12};

// Returns the program's answer without any parallelism; empty if the program does not end.
std::string sequential_answer(const program& p) {
  const program elided = elide(p);
  try {
    return show(interpret(semantics{elided, small}, *make_schedule("none"), 10'000));
  } catch (const trap& t) {
    return std::string{t.what()}.starts_with("still running") ? "" : "trap";
  }
}

// Returns true if the explorer finds a fault of these rules on this program.
bool is_caught(const semantics& rules, const std::string& answer) {
  const exploration found = explore(rules, 20'000);
  if (!found.violation.empty() || found.disagrees()) return true;
  return found.complete && !(answer.empty() ? found.endings.empty() : found.agrees_on(answer));
}

TEST_CASE(
    "no program of the library breaks a theorem, and all its schedules agree with its elision, by both sets of rules") {
  for (const program& p : library()) {
    for (const rule_set rules : {rule_set::reclaiming, rule_set::figure_3}) {
      CAPTURE(p.name);
      CAPTURE((rules == rule_set::figure_3));
      const exploration found = explore(semantics{p, small, rules}, 200'000);
      CHECK(found.violation == "");
      CHECK(found.complete);
      const std::string answer = sequential_answer(p);
      CHECK((answer.empty() ? found.never_ends && found.endings.empty() : found.agrees_on(answer)));
    }
  }
}

TEST_CASE("every mutant of the semantics is caught") {
  std::map<std::string, bool> caught;
  for (const program& p : library()) {
    const std::string answer = sequential_answer(p);
    for (const auto& [name, rules] : mutants::all(p, small)) {
      if (!caught[name]) caught[name] = is_caught(*rules, answer);
    }
  }
  CHECK(caught.size() >= 20);
  for (const auto& [name, is] : caught) CHECK_MESSAGE(is, name);
}

// Parses and encodes, but does not verify.
program unverified(const std::string& text) {
  diagnostics wrong;
  program p = parse(text, "ill-formed", wrong);
  encode(p, wrong);
  REQUIRE_MESSAGE(wrong.empty(), render(wrong, p.name));
  return p;
}

TEST_CASE("the explorer finds in a run the faults that the verifier refuses about sporks") {
  const std::string unit =
      "fun unit() { block entry { return } }\nfun main() -> (i64) {\n  block entry { spork body || unit() }\n";
  const std::vector<std::string> ill_formed{
      unit + "block body { return (1) } }",
      unit + "block body { spoin more, more } block more { spoin out, out } block out { return (1) } }",
      unit + "block body { if 0 then body2 else out } block body2 { spoin out, out } block out { return (1) } }",
      unit + "block body { goto entry } }",
  };
  for (const std::string& text : ill_formed) {
    CAPTURE(text);
    const program p = unverified(text);
    CHECK_FALSE(verify(p).empty());
    CHECK(explore(semantics{p, small}, 1000).violation != "");
  }
}

TEST_CASE("a race is found, with a script that leads to each answer") {
  const program p = load_good(
      "fun put(p: ptr, v: i64) { block entry { store p, v return } }\n"
      "fun main() -> (i64) { block entry { p = alloc(1) par put(p, 1), put(p, 2) -> done }\n"
      "block done { return (load i64 p) } }",
      "race");
  const semantics rules{p, small};
  const exploration found = explore(rules, 1000);
  CHECK(found.violation == "");
  CHECK(found.endings.size() == 2);
  for (const exploration::ending& e : found.endings)
    CHECK(show(interpret(rules, *make_schedule("script:" + show(e.trace)), 1000)) == e.answer);
}

// The child of the first round keeps number 1, so that the next round's children have other numbers than those before.
TEST_CASE("the script of an endless schedule can be followed although its threads change their numbers") {
  const program p = load_good(
      "fun leaf() { block entry { return } }\n"
      "fun g(p: ptr) { block entry { spork body || leaf() } block body { store p, 1 - load i64 p spoin out, out }\n"
      "block out { return } }\n"
      "fun main() { block entry { p = alloc(1) goto head } block head { spork body || g(p) }\n"
      "block body { spork inner || leaf() } block inner { spoin close, close } block close { spoin head, head } }",
      "numbers");
  const semantics rules{p, small};
  const exploration found = explore(rules, 20'000);
  REQUIRE(found.never_ends);
  CHECK_THROWS_AS(interpret(rules, *make_schedule("script:" + show(*found.never_ends)), 1000), trap);
}

TEST_CASE("a cycle is found from its lowest state on, and the shortest") {
  const auto cycle = [](const std::vector<std::vector<state_id>>& successors) {
    state_graph g;
    for (const auto& each : successors) {
      g.begin_state();
      for (const state_id to : each) g.add_step(to);
    }
    return g.find_cycle();
  };
  using states = std::vector<state_id>;
  CHECK(cycle({}) == states{});
  CHECK(cycle({{1, 2}, {2}, {3}}) == states{});  // the steps from the last state are not known yet
  CHECK(cycle({{0}}) == states{0});
  CHECK(cycle({{1}, {2, 4}, {3}, {1}, {5}, {5}}) == states{1, 2, 3});
  CHECK(cycle({{1, 4}, {2}, {3}, {1, 2}, {}}) == states{1, 2, 3});
  CHECK(cycle({{1}, {2, 3}, {0}, {0}}).size() == 3);
}

TEST_CASE("the interpreter agrees with the elision, with every kind of schedule") {
  for (const program& p : library()) {
    const std::string answer = sequential_answer(p);
    if (answer.empty()) continue;
    for (const std::string schedule : {"none", "eager", "seed:1", "seed:2", "seed:3", "seed:4", "seed:5"}) {
      CAPTURE(p.name);
      CAPTURE(schedule);
      std::string got;
      try {
        got = show(interpret(semantics{p, small}, *make_schedule(schedule), 100'000));
      } catch (const trap&) {
        got = "trap";
      }
      CHECK(got == answer);
    }
  }
}

}  // namespace
