// Operations that would take long on large inputs if they were written carelessly. The tests count steps, whose number
// is the same on every machine.
#include "ir/builder.hpp"
#include "ir/interpret.hpp"
#include "ir/schedule.hpp"
#include "unit/ir/library.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using namespace tine::spork;

// Counts how often a schedule asks for a frame that it could promote.
struct counting : semantics {
  using semantics::semantics;
  std::optional<std::size_t> promotable_frame(const pool& r, thread_id t) const override {
    ++asked;
    return semantics::promotable_frame(r, t);
  }
  mutable std::size_t asked = 0;
};

// 2^n leaves, each of which runs for a while, so that many threads live at once.
constexpr const char* tree = R"(
fun leaf(n: i64) -> (i64) {
  block entry { goto head(n) }
  block head(i: i64) { if i then step else out }
  block step { goto head(i - 1) }
  block out { return (1) }
}
fun tree(n: i64) -> (i64) {
  block entry { if n then fork else last }
  block last { call leaf(40) -> done }
  block done(r: i64) { return (r) }
  block fork { par tree(n - 1), tree(n - 1) -> both }
  block both(a: i64, b: i64) { return (a + b) }
}
fun main() -> (i64) { block entry { call tree(11) -> done } block done(r: i64) { return (r) } }
)";

TEST_CASE("schedules ask a few questions a step, however many threads there are") {
  const program p = load_good(tree, "tree");
  for (const std::string name : {"eager", "seed:1"}) {
    CAPTURE(name);
    const counting rules{p};
    run_counts counts;
    CHECK(show(interpret(rules, *make_schedule(name), 100'000'000, &counts)) == "2048");
    CHECK(counts.promotions > 1000);
    CHECK(rules.asked < 4 * (counts.steps + counts.promotions));
  }
}

// A thread steps in a stack of 100,000 frames without offers. A walk over the frames at each step would visit 10^10
// frames.
TEST_CASE("the oldest spork is found without a walk over the stack") {
  const program p = load_good(R"(
fun unit() { block entry { return } }
fun down(n: i64) -> (i64) {
  block entry { if n then further else last }
  block further { call down(n - 1) -> up }
  block up(r: i64) { return (r + 1) }
  block last { return (0) }
}
fun main() -> (i64) {
  block entry { spork body || unit() }
  block body { call down(100000) -> found }
  block found(r: i64) { spoin out, out }
  block out { return (r) }
}
)",
                              "deep");
  CHECK(show(interpret(semantics{p}, *make_schedule("eager"), 10'000'000)) == "100000");
}

struct named {
  std::string name;
};

TEST_CASE("a name that is unused is found in constant time") {
  std::vector<named> all{{"a.2"}, {"b"}};
  taken_names names;
  for (const char* expected : {"a", "a.1", "a.3", "a.4"}) {
    all.push_back({names.unused("a", all)});
    CHECK(all.back().name == expected);
  }
  for (std::size_t i = 0; i < 10'000; ++i) all.push_back({names.unused("a", all)});
  CHECK(names.steps() < 10'100);
  CHECK(names.unused("c", all) == "c");
}

// Cubic work would take hours.
TEST_CASE("a function with 10,000 forks is checked") {
  std::string text =
      "fun g() -> (i64) { block entry { return (1) } }\nfun main() -> (i64) {\n  block entry { goto b0(0) }\n";
  constexpr int forks = 10'000;
  for (int i = 0; i < forks; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "  block b" + n + "(s" + n + ": i64) { par g(), g() -> c" + n + " }\n";
    text += "  block c" + n + "(x" + n + ": i64, y" + n + ": i64) { goto b" + next + "(s" + n + " + x" + n + " + y" +
            n + ") }\n";
  }
  text += "  block b" + std::to_string(forks) + "(s: i64) { return (s) }\n}\n";
  const program p = load_good(text, "forks");
  CHECK(show(interpret(semantics{p}, *make_schedule("none"), 10'000'000)) == "20000");
}

}  // namespace
