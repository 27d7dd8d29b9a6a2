// Compares the engines.
#include "ir/disagreement.hpp"

#include "ir/explore.hpp"
#include "ir/interpret.hpp"
#include "ir/load.hpp"
#include "ir/pipeline.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"

namespace tine::spork {
namespace {

constexpr std::size_t most_steps = 1'000'000;

// Returns the results of a run, or "trap" without the place, because the place of a trap depends on the schedule.
std::string outcome(const program& p, std::string_view schedule_text) {
  try {
    return show(interpret(semantics{p, {std::size_t{1} << 22}}, *make_schedule(schedule_text), most_steps));
  } catch (const trap&) {
    return "trap";
  }
}

std::string compare(const program& p, const std::string& stage, const std::string& expected) {
  if (const diagnostics wrong = verify(p); !wrong.empty()) return stage + " is ill-formed:\n" + render(wrong, p.name);
  const program plain = elide(p);
  if (const diagnostics wrong = verify(plain); !wrong.empty())
    return stage + ", elided, is ill-formed:\n" + render(wrong, p.name);
  const std::string elided = outcome(plain, "none");
  if (elided != expected) return stage + ", elided, gives " + elided + " instead of " + expected;
  for (const std::string_view schedule_text : {"none", "eager", "seed:1", "seed:2", "seed:3"}) {
    const std::string got = outcome(p, schedule_text);
    if (got != expected)
      return stage + ", --schedule=" + std::string{schedule_text} + ", gives " + got + " instead of " + expected;
  }
  return {};
}

std::string explore_all(const program& p, rule_set rules, std::size_t most, const std::string& expected) {
  const exploration found = explore(semantics{p, {std::size_t{1} << 16}, rules}, most);
  if (!found.violation.empty()) return "exploration: " + found.violation + "\n  by script:" + show(found.trace);
  if (found.never_ends) return "exploration: no end by script:" + show(*found.never_ends);
  for (const exploration::ending& e : found.endings) {
    if (e.answer != expected)
      return "exploration gives " + e.answer + " instead of " + expected + " by script:" + show(e.trace);
  }
  return {};
}

}  // namespace

std::string disagreement(const program& p, std::size_t explored) {
  const std::string expected = outcome(elide(p), "none");
  if (std::string wrong = compare(p, "the program", expected); !wrong.empty()) return wrong;

  diagnostics wrong;
  const program again = load(print(p), p.name, wrong);
  if (!wrong.empty()) return "what is printed is ill-formed:\n" + render(wrong, p.name);
  if (print(again) != print(p)) return "what is printed is another program";

  program optimised = p;
  std::string broken;
  optimise(optimised, [&](const pass& after) {
    if (const std::string got = outcome(elide(optimised), "none"); broken.empty() && got != expected) {
      broken = "the program after '" + std::string{after.name} + "' gives " + got + " instead of " + expected;
    }
  });
  if (!broken.empty()) return broken;
  if (std::string bad = compare(optimised, "the optimised program", expected); !bad.empty()) return bad;

  if (explored == 0) return {};
  if (std::string bad = explore_all(p, rule_set::figure_3, explored, expected); !bad.empty()) return bad;
  for (const program* each : {&p, static_cast<const program*>(&optimised)}) {
    if (std::string bad = explore_all(*each, rule_set::reclaiming, explored, expected); !bad.empty()) return bad;
  }
  return {};
}

}  // namespace tine::spork
