// The explorer on the library of small programs, on semantics that are wrong, and on programs that are.
#include "spork/explore.hpp"
#include "spork/encode.hpp"
#include "spork/interpret.hpp"
#include "spork/parse.hpp"
#include "spork/verify.hpp"
#include "unit/spork/library.hpp"
#include "unit/spork/mutants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

namespace {

using namespace tine::spork;

constexpr limits small{std::size_t{1} << 12};

// What the program gives without any parallelism.
std::string sequential_answer(const program& p) {
  const program elided = elide(p);
  try {
    return show(interpret(semantics{elided, small}, *make_schedule("none"), 10'000));
  } catch (const trap& t) {
    return std::string{t.what()}.starts_with("still running") ? "" : "trap";
  }
}

// Whether the explorer finds something wrong with these rules on this program.
bool is_caught(const semantics& rules, const std::string& answer) {
  const exploration found = explore(rules, 20'000);
  return !found.violation.empty() || (found.complete && found.answer != answer);
}

TEST_CASE("no program of the library breaks a theorem, and all its schedules agree with its elision") {
  const std::vector<program> programs = library();
  CHECK(programs.size() >= 40);
  for (const program& p : programs) {
    CAPTURE(p.name);
    const exploration found = explore(semantics{p, small}, 200'000);
    CHECK(found.violation == "");
    CHECK(found.complete);
    CHECK(found.answer == sequential_answer(p));
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

TEST_CASE("what the verifier refuses about sporks, the explorer would find in a run") {
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

TEST_CASE("a race is found, with a script for each answer") {
  const program p = load_good(
      "fun put(p: ptr, v: i64) { block entry { store p, v return } }\n"
      "fun main() -> (i64) { block entry { p = alloc(1) par put(p, 1), put(p, 2) -> done }\n"
      "block done { return (load i64 p) } }",
      "race");
  const semantics rules{p, small};
  const exploration found = explore(rules, 1000);
  CHECK(found.violation == "two schedules, two answers: first 2, then 1");
  // both scripts do what the explorer says they do
  CHECK(show(interpret(rules, *make_schedule("script:" + show(found.other)), 1000)) == "2");
  CHECK(show(interpret(rules, *make_schedule("script:" + show(found.trace)), 1000)) == "1");
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
