// Random programs whose functions and data are dealt out to modules: linked, they are the same program again.
#include "ir/link.hpp"
#include "ir/generate.hpp"
#include "ir/interpret.hpp"
#include "ir/load.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tine::spork;

// Deals a program out to `count` modules, each of which declares what it does not define.
std::vector<program> dealt(const program& p, std::size_t count, std::mt19937_64& random) {
  std::vector<program> modules(count, p);
  for (function_id f = 0; f < p.functions.size(); ++f) {
    const std::size_t owner = random() % count;
    for (std::size_t m = 0; m < count && !p.functions[f].in_c; ++m) {
      if (m == owner) continue;
      function& declared = modules[m].functions[f];
      declared.blocks.clear(), declared.params.clear(), declared.temporaries.clear();
      declared.external = true;
    }
  }
  for (data_id d = 0; d < p.data.size(); ++d) {
    const std::size_t owner = random() % count;
    for (std::size_t m = 0; m < count; ++m) {
      if (m != owner) modules[m].data[d].words.clear(), modules[m].data[d].external = true;
    }
  }
  for (std::size_t m = 0; m < count; ++m) modules[m].name = std::to_string(m);
  return modules;
}

std::string answer(const program& p, const char* schedule) {
  return show(interpret(semantics{p}, *make_schedule(schedule), 10'000'000));
}

TEST_CASE("modules link to the program that was dealt out, and survive as texts") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    const program p = generate(seed, 5, some_loop_form(seed));
    const std::vector<program> modules = dealt(p, 1 + random() % 4, random);
    std::vector<diagnostics> wrong(modules.size());
    const program whole = link(modules, wrong);
    for (const diagnostics& each : wrong) CHECK(each.empty());
    CHECK(verify(whole).empty());
    const std::string expected = answer(elide(p), "none");
    CHECK(answer(whole, "seed:1") == expected);

    std::vector<module_text> texts;
    for (const program& m : modules) texts.push_back({m.name, print(m)});
    const program read = load(texts, wrong);
    for (const diagnostics& each : wrong) REQUIRE_MESSAGE(each.empty(), render(each, "a module"));
    CHECK(answer(read, "eager") == expected);
  }
}

TEST_CASE("a program in two files is reported to be wrong in its own file") {
  const std::vector<module_text> texts{{"a",
                                        "extern fun f(i64) -> (i64) fun main() { block entry { call f(1) -> out } "
                                        "block out(r: i64) { return } }"},
                                       {"b", "fun f(n: f64) -> (f64) { block entry { return (n) } }"}};
  std::vector<diagnostics> wrong;
  load(texts, wrong);
  REQUIRE(wrong.size() == 3);
  REQUIRE(wrong[0].size() == 1);
  CHECK(wrong[0][0].rule == "extern");
  CHECK(wrong[1].empty());
  CHECK(wrong[2].empty());
}

}  // namespace
