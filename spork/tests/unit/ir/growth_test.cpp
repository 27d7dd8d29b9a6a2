// Operations that would take long on large inputs if they were written carelessly. The tests count steps, whose number
// is the same on every machine.
#include "ir/attributes.hpp"
#include "ir/builder.hpp"
#include "ir/interpret.hpp"
#include "ir/pipeline.hpp"
#include "ir/schedule.hpp"
#include "ir/successors.hpp"
#include "unit/ir/library.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <random>
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

// A function of `n` pieces, behind whose blocks `last` comes.
std::string large(int n, const std::string& entry, const std::function<std::string(std::string, std::string)>& piece,
                  const std::string& last) {
  std::string text =
      "fun g() { block entry { return } }\nfun f(x: i64) -> (i64) { block entry { return (x + 1) } }\n"
      "fun main() -> (i64) {\n block entry { " +
      entry + " }\n";
  for (int i = 0; i < n; ++i) text += piece(std::to_string(i), std::to_string(i + 1));
  return text + " block b" + std::to_string(n) + last + "\n}\n";
}

// Quadratic work would take a minute: for the dominator of a block to which many lead, for known branches that make
// others known, for a function with many calls, for many copies of a block.
TEST_CASE("large functions are checked and optimised") {
  constexpr int n = 4'000;
  const std::string chain = large(
      n, "goto b0(0)",
      [](auto i, auto next) {
        return " block b" + i + "(x" + i + ": i64) { if x" + i + " < 0 then o else c" + i + " }\n block c" + i +
               " { goto b" + next + "(x" + i + " + 1) }\n";
      },
      "(z: i64) { return (z) }\n block o { return (-1) }");
  const std::string fan = large(
      n, "p = alloc(8)\n goto b0(0)",
      [](auto i, auto next) {
        return " block b" + i + "(x" + i + ": i64) { y" + i + " = load i64 p[x" + i + " & 7]\n if y" + i +
               " < 0 then o else c" + i + " }\n block c" + i + " { goto b" + next + "(x" + i + " + y" + i + ") }\n";
      },
      "(z: i64) { return (z) }\n block o { return (-1) }");
  const std::string forks = large(
      n, "goto b0(0, 1)",
      [](auto i, auto next) {
        return " block b" + i + "(x" + i + ": i64, y" + i + ": i64) { par f(x" + i + "), f(y" + i + ") -> b" + next +
               " }\n";
      },
      "(u: i64, v: i64) { return (u + v) }");
  const std::string nested = large(
      n, "goto b0",
      [](auto i, auto next) {
        return " block b" + i + " { spork b" + next + " || g() }\n block u" + next + " { spoin u" + i + ", u" + i +
               " }\n";
      },
      " { goto u" + std::to_string(n) + " }\n block u0 { return (1) }");
  for (const auto& [text, expected] : {std::pair{chain, "4000"}, {fan, "0"}, {forks, "8001"}, {nested, "1"}}) {
    program p = load_good(text, "large");
    optimise(p);
    CHECK(show(interpret(semantics{p}, *make_schedule("none"), 10'000'000)) == expected);
  }
}

// A block dominates another one if no path leads there without it.
TEST_CASE("dominators of random graphs are right") {
  std::mt19937 dice{1};
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::uint32_t>(2 + dice() % 12);
    function f = builder::begin("f", {}, {});
    for (std::uint32_t b = 0; b < n; ++b) {
      builder make{f};
      make.end(
          make.add_block("b"),
          branch{atom::number(0), {static_cast<block_id>(dice() % n), {}}, {static_cast<block_id>(dice() % n), {}}});
    }
    const auto reached = [&](block_id without) {
      std::vector<bool> found(n);
      const std::function<void(block_id)> visit = [&](block_id b) {
        if (b == without || found[b]) return;
        found[b] = true;
        for (const label& l : successors(f.blocks[b].end)) visit(l.block);
      };
      visit(0);
      return found;
    };
    const attributes facts{f};
    const std::vector<bool> all = reached(none);
    for (block_id a = 0; a < n; ++a) {
      const std::vector<bool> others = reached(a);
      for (block_id b = 0; b < n; ++b) {
        if (all[a] && all[b]) CHECK(facts.dominates(a, b) == !others[b]);
      }
    }
  }
}

}  // namespace
